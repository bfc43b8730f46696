package dwarf

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// An ent is an entry of a tree that a test draws: its tag, what it says and
// what is in it. Each has an abbreviation of its own.
type ent struct {
	tag   uint64
	label string
	says  []says
	kids  []ent
}

// A says is an attribute. Its value chooses the form:
//
//	"text"        DW_FORM_string          true      DW_FORM_flag_present
//	7             DW_FORM_udata           -7        DW_FORM_sdata
//	addr(0x10)    DW_FORM_addr            ops{...}  DW_FORM_exprloc
//	ref4("label") DW_FORM_ref4            far("l")  DW_FORM_ref_addr
//	raw{form, bytes}                      as it is
type says struct {
	name  uint64
	value any
}

type (
	addr uint64
	ref4 string
	far  string
	ops  []byte
	raw  struct {
		form  uint64
		bytes []byte
	}
)

// tag makes an entry of attributes (says), its name (string) and what is in it (ent).
func tag(tag uint64, parts ...any) ent {
	e := ent{tag: tag}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			e.says = append(e.says, says{atName, p})
			if e.label == "" {
				e.label = p
			}
		case says:
			e.says = append(e.says, p)
		case ent:
			e.kids = append(e.kids, p)
		case []ent:
			e.kids = append(e.kids, p...)
		default:
			panic(fmt.Sprintf("%T is no part of an entry", p))
		}
	}
	return e
}

// at labels an entry that has no name, or the name of another one.
func (e ent) at(label string) ent { e.label = label; return e }

// of is the attribute DW_AT_type.
func of(label string) says { return says{atType, ref4(label)} }

// A tree is .debug_info and .debug_abbrev being drawn.
type tree struct {
	info  *asm.Section
	decls [][]byte
	word  int // bytes of an address
}

func newTree() *tree { return &tree{info: asm.At(0), word: 8} }

// unit appends a unit of version 4 or 5 whose first entry is root.
func (d *tree) unit(version uint16, root ent) *tree {
	from, to := fmt.Sprint("from ", d.info.Here()), fmt.Sprint("to ", d.info.Here())
	begin := d.info.Here()
	d.info.Mark(fmt.Sprint("unit ", begin)).Dist32(from, to).Mark(from).U16(version)
	if version == 5 {
		d.info.U8(unitCompile, uint8(d.word)).U32(0)
	} else {
		d.info.U32(0).U8(uint8(d.word))
	}
	d.entry(begin, root)
	d.info.Mark(to)
	return d
}

// entry appends an entry of the unit that begins at an offset.
func (d *tree) entry(begin uint64, e ent) {
	d.info.Mark(e.label)
	code := uint64(len(d.decls) + 1)
	d.decls = append(d.decls, nil)
	d.info.Bytes(asm.ULEB(code))
	var attrs []attr
	for _, s := range e.says {
		attrs = append(attrs, attr{s.name, d.value(begin, s.value)})
	}
	var children byte
	if len(e.kids) > 0 {
		children = 1
		for _, k := range e.kids {
			d.entry(begin, k)
		}
		d.info.U8(0)
	}
	d.decls[code-1] = decl(code, e.tag, children, attrs...)
}

// value appends a value and returns its form.
func (d *tree) value(begin uint64, v any) uint64 {
	switch v := v.(type) {
	case string:
		d.info.Bytes(text(v))
		return formString
	case bool:
		return formFlagPresent
	case int:
		if v < 0 {
			d.info.Bytes(asm.SLEB(int64(v)))
			return formSdata
		}
		d.info.Bytes(asm.ULEB(uint64(v)))
		return formUdata
	case addr:
		d.info.Word(d.word, uint64(v))
		return formAddr
	case ref4:
		d.info.Dist32(fmt.Sprint("unit ", begin), string(v))
		return formRef4
	case far:
		d.info.Ref32(string(v))
		return formRefAddr
	case ops:
		d.info.Bytes(expr(v...))
		return formExprloc
	case raw:
		d.info.Bytes(v.bytes)
		return v.form
	}
	panic(fmt.Sprintf("%T is no value", v))
}

// sections are those of the tree, with more of them.
func (d *tree) sections(t testing.TB, more map[string][]byte) map[string][]byte {
	out := map[string][]byte{"info": d.info.Build(t), "abbrev": abbrevs(d.decls...)}
	for name, data := range more {
		out[name] = data
	}
	return out
}

// open opens the tree.
func (d *tree) open(t testing.TB) *File { return open(d.sections(t, nil), Options{}) }

// cplus is a unit of C++14 with code from 0x1000 to 0x2000.
func cplus(kids ...ent) ent { return compiled(0x21, kids...) }

// compiled is a unit of a language with code from 0x1000 to 0x2000.
func compiled(language int, kids ...ent) ent {
	return tag(tagCompileUnit, says{atLanguage, language}, says{atLowPC, addr(0x1000)}, says{atHighPC, 0x1000}, kids)
}

// base is a base type.
func base(name string, encoding, size int) ent {
	return tag(tagBase, name, says{atEncoding, encoding}, says{atByteSize, size})
}

// body is a function from 0x1000 to 0x1100 whose frame base is the CFA.
func body(parts ...any) ent {
	return tag(tagSubprogram, append([]any{"f", says{atLowPC, addr(0x1000)}, says{atHighPC, 0x100}, says{atFrameBase, ops{opCallFrameCFA}}}, parts...)...)
}

// Encodings of base types (DW_ATE, section 7.8).
const (
	encodingBoolean      = 0x02
	encodingComplex      = 0x03
	encodingFloat        = 0x04
	encodingUnsigned     = 0x07
	encodingUnsignedChar = 0x08
	encodingUTF          = 0x10
	encodingUCS          = 0x11
	encodingASCII        = 0x12
)
