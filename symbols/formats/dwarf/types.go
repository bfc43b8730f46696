package dwarf

import (
	"cmp"
	"slices"

	"crashglass/core/values/types"
)

// DW_ATE_signed and DW_ATE_signed_char.
const (
	encodingSigned     = 0x05
	encodingSignedChar = 0x06
)

// encodings are the kinds of base types by DW_ATE (section 7.8). Those of other encodings are decimals and
// fixed points, and become types.Decimal.
var encodings = map[uint64]types.Kind{
	0x02: types.Bool, 0x03: types.Complex, 0x04: types.Float,
	encodingSigned: types.Signed, encodingSignedChar: types.Char, 0x07: types.Unsigned, 0x08: types.Char, // unsigned_char
	0x10: types.Wide, 0x11: types.Wide, 0x12: types.Char, // UTF, UCS, ASCII
}

// A typeKey is where a type's entry is.
type typeKey struct {
	group   *group
	off     uint64
	inTypes bool
	speaks  *language // a partial unit has that of its user
}

const maxTypes = 1 << 16

func (n *node) typeRef(v value) types.Ref {
	f := n.group.file
	var key typeKey
	switch ref := n.entry(v); {
	case v.form == formRefSig8:
		key = typeKey{off: v.v, inTypes: true}
	default:
		key = typeKey{ref.target(n.group), ref.v, n.inTypes && v.form != formRefAddr, n.speaks()}
	}
	return func() *types.Type {
		return f.typeOf(key, func() (die, bool) { return n.follow(v) })
	}
}

// typeOf returns the type of an entry, which entry reads if the type is not kept.
func (f *File) typeOf(key typeKey, entry func() (die, bool)) *types.Type {
	if t, ok := f.made.Get(key); ok {
		return t
	}
	d, ok := entry()
	if !ok {
		return &types.Type{Kind: types.Unknown, Name: "(damaged type)"}
	}
	t := d.typ()
	f.made.Put(key, t, 1)
	return t
}

// typeAt returns the type of the entry at a place, nil where it cannot be read.
func (f *File) typeAt(p defPlace) *types.Type {
	d, ok := f.dieAt(p)
	if !ok {
		return nil
	}
	key := typeKey{d.n.group, d.n.off + uint64(p.at), d.n.inTypes, d.n.speaks()}
	return f.typeOf(key, func() (die, bool) { return d, true })
}

// elem is the type to which an entry refers, nil for void.
func (d *die) elem() types.Ref {
	v := d.get(atType)
	if !v.set() {
		return nil
	}
	return d.n.typeRef(v)
}

// typ does not read the types to which the entry refers, except the type unit that an entry may stand for.
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
	case tagString:
		return d.stringType()
	case tagSubrange: // a range of another type's values, as Pascal and Ada have them
		return &types.Type{Kind: types.Typedef, Name: d.text(atName), Elem: d.elem()}
	case tagFunctionType, tagSubprogram:
		return d.functionType()
	case tagMemberPointer:
		return d.memberPointer()
	}
	return &types.Type{Kind: types.Unknown, Name: d.text(atName)}
}

// smallNumbers have the encodings of characters. char itself has one of both, by the CPU.
var smallNumbers = map[string]types.Kind{"signed char": types.Signed, "unsigned char": types.Unsigned}

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
	t.Minus = encoding == encodingSignedChar || encoding == encodingSigned && t.Name == "wchar_t"
	switch {
	case t.Size == 0 && t.Sized:
		t.Kind = types.Struct // Rust's () and !
	case smallNumbers[t.Name] != types.Unknown:
		t.Kind = smallNumbers[t.Name]
	case t.Name == "wchar_t", t.Name == "char8_t": // GCC has it as an integer
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
	return &types.Type{Kind: types.Wide, Name: name, Size: of.Size, Sized: of.Sized, Minus: of.Kind == types.Signed && name == "wchar_t"}
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
	strided := d.strided()
	d.each(func(c *die) int {
		if c.tag == tagSubrange || c.tag == tagEnum {
			t.Counts = append(t.Counts, c.dimension())
			of, known := c.n.follow(c.get(atType))
			strided = strided || c.strided() || known && of.strided()
		}
		if len(t.Counts) == maxDimensions {
			return stop
		}
		return 0
	})
	if strided {
		return &types.Type{Kind: types.Unknown, Name: "(array with a stride)"}
	}
	if d.inColumns() {
		slices.Reverse(t.Counts)
	}
	return t
}

// strided reports whether elements have a distance of their own: of an array, of one of its dimensions, or of the type of the
// dimension's index (sections 5.5 and 5.13).
func (d *die) strided() bool {
	return d.get(0x2e).set() || d.get(0x51).set() // DW_AT_bit_stride, DW_AT_byte_stride
}

// stringType is a string of Fortran (section 5.11): characters without an end, of a fixed number. The
// number of others is only known at run time, which is not supported.
func (d *die) stringType() *types.Type {
	n, ok := d.number(atByteSize)
	if !ok || d.get(atStringLength).set() || d.get(atType).set() {
		return &types.Type{Kind: types.Unknown, Name: cmp.Or(d.text(atName), "(string of any length)")}
	}
	character := &types.Type{Kind: types.Char, Name: "character", Size: 1, Sized: true}
	return &types.Type{Kind: types.Array, Elem: func() *types.Type { return character }, Counts: []types.Count{{N: n, Known: true, Low: 1}}}
}

// inColumns reports whether the first dimension of an array is the innermost (DW_ORD, section 7.17).
func (d *die) inColumns() bool {
	if order, ok := d.number(atOrdering); ok {
		return order == 1
	}
	return d.n.speaks().columns
}

// maxDimensions bounds the dimensions of an array. Fortran allows 15.
const maxDimensions = 64

// dimension is how many elements an entry of an array says that there are.
func (d *die) dimension() types.Count {
	low := d.n.speaks().low
	if v := d.get(atLowerBound); v.set() {
		n, ok := d.n.constant(v)
		if !ok {
			return types.Count{}
		}
		low = int64(n)
	}
	if n, ok := d.number(atCount); ok {
		return types.Count{N: n, Known: true, Low: low}
	}
	if high, ok := d.number(atUpperBound); ok {
		n, ok := d.n.between(low, int64(high))
		return types.Count{N: n, Known: ok, Low: low}
	}
	return d.runTime(low)
}

// between counts the elements from a lower to an upper bound, both included. An upper bound that is lower is none, as 1:-5 in languages
// that count from 1, as Fortran and Ada. For others it reports false if it is lower by more than one, and for all numbers.
func (n *node) between(low, high int64) (count uint64, ok bool) {
	if high < low && n.speaks().low == 1 {
		return 0, true
	}
	return indexes(low, high)
}

// indexes counts the numbers from a lower to an upper one.
func indexes(low, high int64) (n uint64, ok bool) {
	n = uint64(high) - uint64(low) + 1
	return n, n != 0 && high >= low || n == 0 && high < low
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
