package pdb

// A primitive is a type without a record: its number encodes it. The low byte is the kind, the next
// four bits say whether it is a pointer, and of how many bytes.
type primitive struct {
	name string
	size uint64
}

// primitives by kind.
//
// Source: TYPE_ENUM_e of microsoft-pdb's include/cvinfo.h.
var primitives = map[uint32]primitive{
	0x00: {"...", 0}, // T_NOTYPE; last of a list of arguments when there may be more
	0x03: {"void", 0},
	0x08: {"HRESULT", 4},
	0x10: {"signed char", 1},
	0x11: {"short", 2},
	0x12: {"long", 4},
	0x13: {"long long", 8},
	0x14: {"int128_t", 16},
	0x20: {"unsigned char", 1},
	0x21: {"unsigned short", 2},
	0x22: {"unsigned long", 4},
	0x23: {"unsigned long long", 8},
	0x24: {"uint128_t", 16},
	0x30: {"bool", 1},
	0x31: {"bool16_t", 2},
	0x32: {"bool32_t", 4},
	0x33: {"bool64_t", 8},
	0x40: {"float", 4},
	0x41: {"double", 8},
	0x42: {"long double", 10},
	0x43: {"long double", 16},
	0x44: {"float48_t", 6},
	0x45: {"float", 4},
	0x46: {"float16_t", 2},
	0x50: {"complex<float>", 8},
	0x51: {"complex<double>", 16},
	0x52: {"complex<long double>", 20},
	0x53: {"complex<long double>", 32},
	0x68: {"int8_t", 1},
	0x69: {"uint8_t", 1},
	0x70: {"char", 1},
	0x71: {"wchar_t", 2},
	0x72: {"int16_t", 2},
	0x73: {"uint16_t", 2},
	0x74: {"int", 4},
	0x75: {"unsigned int", 4},
	0x76: {"int64_t", 8},
	0x77: {"uint64_t", 8},
	0x78: {"int128_t", 16},
	0x79: {"uint128_t", 16},
	0x7a: {"char16_t", 2},
	0x7b: {"char32_t", 4},
	0x7c: {"char8_t", 1},
}

// primitivePointer reports whether a number is that of a pointer to its kind.
func primitivePointer(number uint32) bool { return number>>8&0xf != 0 }
