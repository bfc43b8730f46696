package pdb

import "crashglass/core/values/types"

// A base is what a type without a record is.
type base struct {
	kind  types.Kind
	minus bool // of Char: it has a sign
}

// bases are the types without a record, by kind. Those that are not here are
// shown as bytes.
//
// Source: TYPE_ENUM_e of microsoft-pdb's include/cvinfo.h.
var bases = map[uint32]base{
	0x03: {kind: types.Void},
	0x08: {kind: types.Signed}, // HRESULT
	0x10: {kind: types.Signed}, // signed char
	0x11: {kind: types.Signed}, 0x12: {kind: types.Signed}, 0x13: {kind: types.Signed}, 0x14: {kind: types.Signed},
	0x20: {kind: types.Unsigned}, // unsigned char
	0x21: {kind: types.Unsigned}, 0x22: {kind: types.Unsigned}, 0x23: {kind: types.Unsigned}, 0x24: {kind: types.Unsigned},
	0x30: {kind: types.Bool}, 0x31: {kind: types.Bool}, 0x32: {kind: types.Bool}, 0x33: {kind: types.Bool},
	0x40: {kind: types.Float}, 0x41: {kind: types.Float}, 0x42: {kind: types.Float}, 0x43: {kind: types.Float},
	0x45: {kind: types.Float}, 0x46: {kind: types.Float},
	0x50: {kind: types.Complex}, 0x51: {kind: types.Complex}, 0x52: {kind: types.Complex}, 0x53: {kind: types.Complex},
	0x68: {kind: types.Signed}, 0x69: {kind: types.Unsigned},
	0x70: {kind: types.Char, minus: true}, 0x71: {kind: types.Wide},
	0x72: {kind: types.Signed}, 0x73: {kind: types.Unsigned}, 0x74: {kind: types.Signed}, 0x75: {kind: types.Unsigned},
	0x76: {kind: types.Signed}, 0x77: {kind: types.Unsigned}, 0x78: {kind: types.Signed}, 0x79: {kind: types.Unsigned},
	0x7a: {kind: types.Wide}, 0x7b: {kind: types.Wide}, 0x7c: {kind: types.Char},
}

// rustNames are Rust's names of its types, whose records rustc does not write.
var rustNames = map[uint32]string{
	0x10: "i8", 0x11: "i16", 0x12: "i32", 0x13: "i64", 0x14: "i128", 0x20: "u8", 0x21: "u16", 0x22: "u32", 0x23: "u64", 0x24: "u128",
	0x30: "bool", 0x40: "f32", 0x41: "f64", 0x46: "f16", 0x43: "f128", 0x68: "i8", 0x69: "u8", 0x72: "i16", 0x73: "u16", 0x74: "i32", 0x75: "u32",
	0x76: "i64", 0x77: "u64", 0x78: "i128", 0x79: "u128", 0x7b: "char",
}

// nullptr is T_PVOID, a pointer of 16 bits: std::nullptr_t of MSVC and LLVM.
const nullptr = 0x103

// pointerBytes are the sizes of pointers by the mode of a type without a
// record: CV_prmode_e of cvinfo.h.
var pointerBytes = [16]uint64{1: 2, 2: 4, 3: 4, 4: 4, 5: 6, 6: 8, 7: 16}

// unknownType is the name of what no record describes.
const unknownType = "(type that is not known)"

// baseType is a type without a record, nil for void.
func (f *File) baseType(number uint32, l types.Language) *types.Type {
	kind := number & 0xff
	switch {
	case number == nullptr:
		return &types.Type{Kind: types.Void, Name: "std::nullptr_t", Size: f.wordSize(), Sized: true}
	case primitivePointer(number):
		elem := f.baseType(kind, l)
		return &types.Type{Kind: types.Pointer, Elem: func() *types.Type { return elem }, Size: pointerBytes[number>>8&0xf], Sized: true, Language: l}
	case kind == 3:
		return nil
	}
	p, b := primitives[kind], bases[kind]
	t := &types.Type{Kind: b.kind, Name: p.name, Size: p.size, Sized: p.size > 0, Minus: b.minus, Language: l}
	if name, ok := rustNames[kind]; ok && l == types.Rust {
		t.Name = name
	}
	switch {
	case kind == 0:
		t.Kind, t.Name = types.Unknown, unknownType
	case t.Kind == types.Unknown:
		t.Kind = types.Decimal
	}
	return t
}
