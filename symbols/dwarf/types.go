package dwarf

import (
	"crashglass/core/types"
)

// Encodings of base types (DW_ATE, section 7.8).
const (
	encodingBoolean      = 0x02
	encodingComplex      = 0x03
	encodingFloat        = 0x04
	encodingSigned       = 0x05
	encodingSignedChar   = 0x06
	encodingUnsigned     = 0x07
	encodingUnsignedChar = 0x08
	encodingUTF          = 0x10
	encodingUCS          = 0x11
	encodingASCII        = 0x12
)

// encodings are the kinds of base types. Those of other encodings are decimals and fixed
// points, and become types.Decimal.
var encodings = map[uint64]types.Kind{
	encodingBoolean: types.Bool, encodingComplex: types.Complex, encodingFloat: types.Float, encodingSigned: types.Signed,
	encodingSignedChar: types.Char, encodingUnsigned: types.Unsigned, encodingUnsignedChar: types.Char,
	encodingUTF: types.Wide, encodingUCS: types.Wide, encodingASCII: types.Char,
}

// A typeKey is where a type's entry is.
type typeKey struct {
	group   *group
	off     uint64
	inTypes bool
}

// maxTypes bounds the types that are kept.
const maxTypes = 1 << 16

// typeRef leads to the type that a reference of a unit refers to.
func (n *node) typeRef(v value) types.Ref {
	f := n.group.file
	var key typeKey
	switch ref := n.entry(v); {
	case v.form == formRefSig8:
		key = typeKey{nil, v.v, true}
	default:
		key = typeKey{ref.target(n.group), ref.v, n.inTypes && v.form != formRefAddr}
	}
	return func() *types.Type {
		if t := f.nodes.held(key); t != nil {
			return t
		}
		d, ok := n.follow(v)
		if !ok {
			return &types.Type{Kind: types.Unknown, Name: "(damaged type)"}
		}
		return f.nodes.keep(key, d.typ())
	}
}

// held returns a type that was made before, or nil.
func (c *nodes) held(key typeKey) *types.Type {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made[key]
}

// keep remembers a type. When there are too many all are dropped: those in use stay with their users.
func (c *nodes) keep(key typeKey, t *types.Type) *types.Type {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil || len(c.made) >= maxTypes {
		c.made = map[typeKey]*types.Type{}
	}
	c.made[key] = t
	return t
}

// elem is the type to which an entry refers, nil for void.
func (d *die) elem() types.Ref {
	v := d.get(atType)
	if !v.set() {
		return nil
	}
	return d.n.typeRef(v)
}

// typ makes the type of an entry. It does not read the types to which the entry refers, except the
// type unit that an entry may stand for.
func (d *die) typ() *types.Type {
	if full, ok := d.n.follow(d.get(atSignature)); ok && !full.get(atSignature).set() {
		return full.typ()
	}
	t := d.plainType()
	t.Language = d.n.languageOf()
	if size, ok := d.number(atByteSize); ok && !t.Sized {
		t.Size, t.Sized = size, true
	}
	return t
}

// qualifiers are the types that are others, read or kept in another way.
var qualifiers = map[uint16]string{
	tagConst: "const", tagVolatile: "volatile", tagRestrict: "restrict", tagAtomic: "_Atomic", tagPacked: "packed", tagShared: "shared", tagImmutable: "immutable",
}

// pointers are the kinds of types that hold an address.
var pointers = map[uint16]types.Kind{tagPointer: types.Pointer, tagReference: types.Reference, tagRValue: types.RValueReference}

// plainType makes the type by the tag of the entry. One of another tag is unknown, with its name.
func (d *die) plainType() *types.Type {
	if name, ok := qualifiers[d.tag]; ok {
		return &types.Type{Kind: types.Qualified, Name: name, Elem: d.elem()}
	}
	if kind, ok := pointers[d.tag]; ok {
		return d.pointerType(kind)
	}
	switch d.tag {
	case tagBase:
		return d.baseType()
	case tagUnspecified:
		return &types.Type{Kind: types.Void, Name: d.text(atName)}
	case tagTypedef, tagTemplateAlias:
		if wide := d.wideTypedef(); wide != nil {
			return wide
		}
		return &types.Type{Kind: types.Typedef, Name: d.fullName(), Elem: d.elem()}
	case tagStruct, tagClass, tagUnion, tagInterface:
		return d.structure()
	case tagEnum:
		return d.enumeration()
	case tagArray:
		return d.arrayType()
	case tagSubrange: // a range of another type's values, as Pascal and Ada have them
		return &types.Type{Kind: types.Typedef, Name: d.text(atName), Elem: d.elem()}
	case tagFunctionType, tagSubprogram:
		return d.functionType()
	case tagMemberPointer:
		return d.memberPointer()
	}
	return &types.Type{Kind: types.Unknown, Name: d.text(atName)}
}

// baseType is a type that is made of no others.
func (d *die) baseType() *types.Type {
	t := &types.Type{Name: d.text(atName), Kind: types.Decimal, Language: d.n.languageOf()}
	encoding, _ := d.number(atEncoding)
	if kind, ok := encodings[encoding]; ok {
		t.Kind = kind
	}
	t.Size, t.Sized = d.number(atByteSize)
	if bits, ok := d.number(atBitSize); ok && !t.Sized {
		t.Size, t.Sized = (bits+7)/8, true
	}
	t.Minus = encoding == encodingSignedChar
	switch {
	case t.Size == 0 && t.Sized:
		t.Kind = types.Struct // Rust's () and !
	case t.Name == "wchar_t":
		t.Kind = types.Wide
	case t.Kind == types.Char && t.Size > 1:
		t.Kind = types.Unsigned
	}
	return t
}

// wideTypedef is a character type that C has as another name of an integer.
func (d *die) wideTypedef() *types.Type {
	name := d.text(atName)
	if name != "wchar_t" && name != "char16_t" && name != "char32_t" {
		return nil
	}
	of := types.Strip(d.elem().Get())
	if of == nil || of.Kind != types.Signed && of.Kind != types.Unsigned {
		return nil
	}
	return &types.Type{Kind: types.Wide, Name: name, Size: of.Size, Sized: of.Sized}
}

// pointerType is a pointer or reference. Compilers leave its size out where it is that of an address.
func (d *die) pointerType(kind types.Kind) *types.Type {
	t := &types.Type{Kind: kind, Name: d.text(atName), Elem: d.elem()}
	if _, ok := d.number(atByteSize); !ok {
		t.Size, t.Sized = uint64(d.n.addr), true
	}
	return t
}

// arrayType is an array, whose dimensions are entries of their own.
func (d *die) arrayType() *types.Type {
	t := &types.Type{Kind: types.Array, Elem: d.elem()}
	d.each(func(c *die) int {
		if c.tag == tagSubrange || c.tag == tagEnum {
			t.Counts = append(t.Counts, c.dimension())
		}
		if len(t.Counts) == maxDimensions {
			return stop
		}
		return 0
	})
	if d.get(0x2e).set() || d.get(0x51).set() { // DW_AT_bit_stride, DW_AT_byte_stride
		return &types.Type{Kind: types.Unknown, Name: "(array with a stride)"}
	}
	return t
}

// maxDimensions bounds the dimensions of an array. Fortran allows 15.
const maxDimensions = 64

// dimension is how many elements an entry of an array says that there are.
func (d *die) dimension() types.Count {
	if n, ok := d.number(atCount); ok {
		return types.Count{N: n, Known: true}
	}
	high, ok := d.number(atUpperBound)
	low, _ := d.number(atLowerBound) // of C and its relatives; others say theirs
	if high++; !ok || high < low {
		return d.runTime()
	}
	return types.Count{N: high - low, Known: true}
}

// functionType is the type of a function, or a function itself, by its result and parameters.
func (d *die) functionType() *types.Type {
	t := &types.Type{Kind: types.Function, Elem: d.elem()}
	d.each(func(c *die) int {
		if c.tag == tagParameter && len(t.Params) < maxParams {
			t.Params = append(t.Params, c.elem())
		}
		return 0
	})
	return t
}

// maxParams bounds the parameters of a function type. C requires compilers to take 127.
const maxParams = 256

// memberPointer is a pointer to a member (section 5.14). One to a function is two words.
func (d *die) memberPointer() *types.Type {
	t := &types.Type{Kind: types.MemberPointer, Elem: d.elem()}
	if v := d.get(atContaining); v.set() {
		t.Class = d.n.typeRef(v)
	}
	if _, ok := d.number(atByteSize); !ok {
		t.Size, t.Sized = uint64(d.n.addr), true
		if of, ok := d.n.follow(d.get(atType)); ok && of.tag == tagFunctionType {
			t.Size *= 2 // Itanium C++ ABI, section 2.3
		}
	}
	return t
}

// Languages (DW_LANG, section 7.12) that differ from C.
var languages = map[uint16]types.Language{
	0x04: types.CPlusPlus, 0x1a: types.CPlusPlus, 0x21: types.CPlusPlus, 0x2b: types.CPlusPlus, 0x3a: types.CPlusPlus, 0x3b: types.CPlusPlus,
	0x11: types.CPlusPlus, // Objective-C++
	0x10: types.ObjectiveC, 0x1c: types.Rust, 0x9000: types.Rust, 0x16: types.Go, 0x1e: types.Swift,
}

// languageOf is the language of the unit. Those not listed are shown as C.
func (n *node) languageOf() types.Language { return languages[n.language] }
