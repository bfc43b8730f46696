package variables

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/values/types"
)

// A Part is a value that has a name in the program's language: of a variable, of a member or an element,
// or of what a pointer points to. Text is "" if there is none.
type Part struct {
	Text string
	t    *types.Type
	add  int64 // was added to the pointer that the name is of
}

// Held names the variable that is in a register at a frame's instruction, and returns the rule that says
// so. It reads no values.
func Held(f *Context, reg cpu.Reg) (Part, string) {
	in := func(p *Piece) (uint64, bool) {
		r, ok := f.Arch.Reg(p.Reg)
		return 0, p.Kind == InRegister && ok && r == reg
	}
	return find(f, in, f.Arch.Word)
}

// Covering names the variable, or the part of one, that is in size bytes of memory.
func Covering(f *Context, addr uint64, size int) (Part, string) {
	return find(f, atAddress(addr), size)
}

// atAddress returns the offset of an address in a piece of memory.
func atAddress(addr uint64) func(*Piece) (uint64, bool) {
	return func(p *Piece) (uint64, bool) { return addr - p.Addr, p.Kind == InMemory && addr >= p.Addr }
}

// find returns the first variable that has a place of one piece, in which a value of a size begins at the
// offset that in returns.
func find(f *Context, in func(*Piece) (uint64, bool), size int) (Part, string) {
	source := f.Symbols.Scopes
	if source == nil || f.Arch == nil {
		return Part{}, ""
	}
	for _, s := range source.Scopes(f.Rel()) {
		hidden := hidden(s.Variables)
		for i := range s.Variables {
			if v := &s.Variables[i]; !hidden[i] {
				if found, rule := v.holds(f, in, size); rule != "" {
					return found, rule
				}
			}
		}
	}
	return Part{}, ""
}

// Listed returns the variables outside of functions that Static searches.
func Listed(f *Context) []Variable {
	if f.Symbols.Statics == nil || f.Arch == nil {
		return nil
	}
	return f.Symbols.Statics.Statics(func(string) bool { return true }, maxSearched)
}

// Static is Covering for variables outside of functions.
func Static(f *Context, list []Variable, addr uint64, size int) (Part, string) {
	for i := range list {
		if found, rule := list[i].holds(f, atAddress(addr), size); rule != "" {
			return found, rule
		}
	}
	return Part{}, ""
}

// maxSearched bounds the static variables that are searched for an address.
const maxSearched = 1 << 14

// holds names the part of a variable that find searches.
func (v *Variable) holds(f *Context, in func(*Piece) (uint64, bool), size int) (Part, string) {
	if v.Rule == nil || v.Name == "" {
		return Part{}, ""
	}
	place, err := v.Rule.Place(&Eval{Frame: f})
	if err != nil || len(place.Pieces) != 1 || place.Pieces[0].Partial {
		return Part{}, ""
	}
	off, ok := in(&place.Pieces[0])
	if !ok {
		return Part{}, ""
	}
	path, t := part(types.Strip(v.Type.Get()), off, size, into(16))
	if t == nil {
		return Part{}, ""
	}
	return Part{Text: v.Name + path, t: t}, v.Rule.String()
}

// Deref names the value of a size at an offset from the pointer. Elements behind the first one are named
// if the program used an index, or if they are no structures: a structure may be one of a larger type.
func (n Part) Deref(off int64, size int, indexed bool) Part {
	if off += n.add; n.Text == "" || off < 0 {
		return Part{}
	}
	t := types.Strip(n.t)
	if !refers(t) {
		return Part{}
	}
	elem, at := types.Strip(t.Elem.Get()), uint64(off)
	each, ok := width(elem, size)
	if !ok || each == 0 {
		return Part{}
	}
	index := at / each
	whole := members(elem)
	if index > 0 && (t.Kind != types.Pointer || whole && !indexed || elem.Kind == types.Array) {
		return Part{}
	}
	path, leaf := part(elem, at%each, size, into(16))
	if leaf == nil {
		return Part{}
	}
	text := n.Text
	dots := t.Kind != types.Pointer || elem.Language == types.Go || elem.Language == types.Rust
	switch {
	case indexed && !whole && elem.Kind != types.Array || index > 0:
		text = fmt.Sprintf("%s[%d]%s", text, index, path)
	case dots && path != "", t.Kind != types.Pointer:
		text += path
	case strings.HasPrefix(path, "."):
		text += "->" + path[1:]
	default:
		text = "*" + text
		if path != "" {
			text = "(" + text + ")" + path
		}
	}
	return Part{Text: text, t: leaf}
}

// Symbol is data of unknown type, by its symbol.
func Symbol(text string) Part { return Part{Text: text, t: &types.Type{}} }

// Plus names a pointer to which a number was added. It has a name only behind a Deref.
func (n Part) Plus(off int64) Part {
	n.add += off
	return n
}

// Shown returns the name of the value, "" if there is none, or if a number was added to it. The value of a
// reference is the address of what it refers to.
func (n Part) Shown() string {
	switch {
	case n.Text == "" || n.add != 0:
		return ""
	case n.t.Kind == types.Reference || n.t.Kind == types.RValueReference:
		return "&" + n.Text
	}
	return n.Text
}

func members(t *types.Type) bool {
	return t.Kind == types.Struct || t.Kind == types.Class || t.Kind == types.Union
}

// smart are types that are one pointer: their names stand for it.
var smart = []string{"std::unique_ptr<", "std::shared_ptr<", "std::__1::unique_ptr<", "std::__1::shared_ptr<", "alloc::boxed::Box<", "core::ptr::non_null::NonNull<"}

// part returns the path to the value of a size at an offset in a type, and the value's type; nil if there
// is none. Locks are values as a whole. Bit fields, virtual bases and the variants of enumerations are left out.
func part(t *types.Type, off uint64, size int, d descent) (string, *types.Type) {
	if t == nil || t.Incomplete {
		return "", nil
	}
	n, sized := width(t, size)
	if isLock(t) && off < n {
		return "", t
	}
	switch t.Kind {
	case types.Struct, types.Class, types.Union:
		if !d.enters(t) || t.Variants != nil {
			return "", nil
		}
		for i := range t.Members {
			m := &t.Members[i]
			of := types.Strip(m.Type.Get())
			if each, ok := width(of, size); m.Static || m.Virtual || m.Bits != 0 || !ok || off < m.Offset || off-m.Offset >= each {
				continue
			}
			path, leaf := part(of, off-m.Offset, size, d.deeper())
			switch {
			case leaf == nil:
				continue
			case off == 0 && isSmart(t.Name):
				return "", leaf
			case m.Base || m.Name == "":
				return path, leaf
			}
			return "." + m.Name + path, leaf
		}
	case types.Array:
		elem := types.Strip(t.Elem.Get())
		each, ok := width(elem, size)
		if !ok || each == 0 || len(t.Counts) != 1 || t.Counts[0].Known && off/each >= t.Counts[0].N || !d.enters(t) {
			return "", nil
		}
		if path, leaf := part(elem, off%each, size, d.deeper()); leaf != nil {
			return fmt.Sprintf("[%d]%s", int64(off/each)+t.Counts[0].Low, path), leaf
		}
	case types.Pointer, types.Reference, types.RValueReference, types.Signed, types.Unsigned, types.Enum:
		if off == 0 && sized && n == uint64(size) {
			return "", t
		}
	}
	return "", nil
}

// width is the size of a type. Pointers whose debug information states none, as Go's, are one word.
func width(t *types.Type, word int) (uint64, bool) {
	if t != nil && t.Kind == types.Pointer && !t.Sized {
		return uint64(word), true
	}
	return types.Size(t)
}

func isSmart(name string) bool {
	return slices.ContainsFunc(smart, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
