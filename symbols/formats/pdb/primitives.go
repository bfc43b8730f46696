package pdb

import "crashglass/core/values/types"

// A primitive is a type without a record: its number encodes it. The low byte is the kind, the next
// four bits say whether it is a pointer, and of how many bytes.
type primitive struct {
	name  string
	size  uint64
	kind  types.Kind // Unknown for one that is shown as bytes
	minus bool       // of Char: it has a sign
	rust  string     // Rust's name of it, for which rustc writes no record
}

// primitives by kind.
//
// Source: TYPE_ENUM_e of microsoft-pdb's include/cvinfo.h.
var primitives = map[uint32]primitive{
	0x00: {name: "..."}, // T_NOTYPE; last of a list of arguments when there may be more
	0x03: {name: "void", kind: types.Void},
	0x08: {name: "HRESULT", size: 4, kind: types.Signed},
	0x10: {name: "signed char", size: 1, kind: types.Signed, rust: "i8"},
	0x11: {name: "short", size: 2, kind: types.Signed, rust: "i16"},
	0x12: {name: "long", size: 4, kind: types.Signed, rust: "i32"},
	0x13: {name: "long long", size: 8, kind: types.Signed, rust: "i64"},
	0x14: {name: "int128_t", size: 16, kind: types.Signed, rust: "i128"},
	0x20: {name: "unsigned char", size: 1, kind: types.Unsigned, rust: "u8"},
	0x21: {name: "unsigned short", size: 2, kind: types.Unsigned, rust: "u16"},
	0x22: {name: "unsigned long", size: 4, kind: types.Unsigned, rust: "u32"},
	0x23: {name: "unsigned long long", size: 8, kind: types.Unsigned, rust: "u64"},
	0x24: {name: "uint128_t", size: 16, kind: types.Unsigned, rust: "u128"},
	0x30: {name: "bool", size: 1, kind: types.Bool, rust: "bool"},
	0x31: {name: "bool16_t", size: 2, kind: types.Bool},
	0x32: {name: "bool32_t", size: 4, kind: types.Bool},
	0x33: {name: "bool64_t", size: 8, kind: types.Bool},
	0x40: {name: "float", size: 4, kind: types.Float, rust: "f32"},
	0x41: {name: "double", size: 8, kind: types.Float, rust: "f64"},
	0x42: {name: "long double", size: 10, kind: types.Float},
	0x43: {name: "long double", size: 16, kind: types.Float, rust: "f128"},
	0x44: {name: "float48_t", size: 6},
	0x45: {name: "float", size: 4, kind: types.Float},
	0x46: {name: "float16_t", size: 2, kind: types.Float, rust: "f16"},
	0x50: {name: "complex<float>", size: 8, kind: types.Complex},
	0x51: {name: "complex<double>", size: 16, kind: types.Complex},
	0x52: {name: "complex<long double>", size: 20, kind: types.Complex},
	0x53: {name: "complex<long double>", size: 32, kind: types.Complex},
	0x68: {name: "int8_t", size: 1, kind: types.Signed, rust: "i8"},
	0x69: {name: "uint8_t", size: 1, kind: types.Unsigned, rust: "u8"},
	0x70: {name: "char", size: 1, kind: types.Char, minus: true},
	0x71: {name: "wchar_t", size: 2, kind: types.Wide},
	0x72: {name: "int16_t", size: 2, kind: types.Signed, rust: "i16"},
	0x73: {name: "uint16_t", size: 2, kind: types.Unsigned, rust: "u16"},
	0x74: {name: "int", size: 4, kind: types.Signed, rust: "i32"},
	0x75: {name: "unsigned int", size: 4, kind: types.Unsigned, rust: "u32"},
	0x76: {name: "int64_t", size: 8, kind: types.Signed, rust: "i64"},
	0x77: {name: "uint64_t", size: 8, kind: types.Unsigned, rust: "u64"},
	0x78: {name: "int128_t", size: 16, kind: types.Signed, rust: "i128"},
	0x79: {name: "uint128_t", size: 16, kind: types.Unsigned, rust: "u128"},
	0x7a: {name: "char16_t", size: 2, kind: types.Wide},
	0x7b: {name: "char32_t", size: 4, kind: types.Wide, rust: "char"},
	0x7c: {name: "char8_t", size: 1, kind: types.Char},
}

// primitivePointer reports whether a number is that of a pointer to its kind.
func primitivePointer(number uint32) bool { return number>>8&0xf != 0 }

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
	p := primitives[kind]
	t := &types.Type{Kind: p.kind, Name: p.name, Size: p.size, Sized: p.size > 0, Minus: p.minus, Language: l}
	if p.rust != "" && l == types.Rust {
		t.Name = p.rust
	}
	switch {
	case kind == 0:
		t.Kind, t.Name = types.Unknown, unknownType
	case t.Kind == types.Unknown:
		t.Kind = types.Decimal
	}
	return t
}
