package dwarf

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// written are the operations of DWARF 5, table 7.9, and those of GNU
// (binutils' include/dwarf2.def), each with its operands: 1, 2, 4, 8 bytes, u
// and s of LEB128, a an address, t a type, c a type and a constant of it, e an
// expression and o an offset of .debug_info.
var written = map[string]struct {
	code     byte
	operands string
}{
	"addr": {0x03, "a"}, "deref": {0x06, ""}, "const1u": {0x08, "1"}, "const1s": {0x09, "1"}, "const2u": {0x0a, "2"}, "const2s": {0x0b, "2"},
	"const4u": {0x0c, "4"}, "const4s": {0x0d, "4"}, "const8u": {0x0e, "8"}, "const8s": {0x0f, "8"}, "constu": {0x10, "u"}, "consts": {0x11, "s"},
	"dup": {0x12, ""}, "drop": {0x13, ""}, "over": {0x14, ""}, "pick": {0x15, "1"}, "swap": {0x16, ""}, "rot": {0x17, ""},
	"abs": {0x19, ""}, "and": {0x1a, ""}, "div": {0x1b, ""}, "minus": {0x1c, ""}, "mod": {0x1d, ""}, "mul": {0x1e, ""}, "neg": {0x1f, ""},
	"not": {0x20, ""}, "or": {0x21, ""}, "plus": {0x22, ""}, "plus_uconst": {0x23, "u"}, "shl": {0x24, ""}, "shr": {0x25, ""}, "shra": {0x26, ""}, "xor": {0x27, ""},
	"bra": {0x28, "2"}, "eq": {0x29, ""}, "ge": {0x2a, ""}, "gt": {0x2b, ""}, "le": {0x2c, ""}, "lt": {0x2d, ""}, "ne": {0x2e, ""}, "skip": {0x2f, "2"},
	"lit0": {0x30, ""}, "lit1": {0x31, ""}, "lit2": {0x32, ""}, "lit3": {0x33, ""}, "lit5": {0x35, ""}, "lit31": {0x4f, ""},
	"reg0": {0x50, ""}, "reg3": {0x53, ""}, "reg5": {0x55, ""}, "reg31": {0x6f, ""}, "breg3": {0x73, "s"}, "breg7": {0x77, "s"}, "breg31": {0x8f, "s"},
	"regx": {0x90, "u"}, "fbreg": {0x91, "s"}, "bregx": {0x92, "us"}, "piece": {0x93, "u"}, "deref_size": {0x94, "1"}, "xderef": {0x95, ""}, "nop": {0x96, ""},
	"push_object_address": {0x97, ""}, "call2": {0x98, "2o"}, "call4": {0x99, "4o"}, "call_ref": {0x9a, "4o"}, "form_tls_address": {0x9b, ""},
	"call_frame_cfa": {0x9c, ""}, "bit_piece": {0x9d, "uu"}, "stack_value": {0x9f, ""}, "implicit_pointer": {0xa0, "os"}, "addrx": {0xa1, "u"}, "constx": {0xa2, "u"},
	"entry_value": {0xa3, "e"}, "const_type": {0xa4, "c"}, "regval_type": {0xa5, "ut"}, "deref_type": {0xa6, "1t"}, "convert": {0xa8, "t"}, "reinterpret": {0xa9, "t"},
	"GNU_push_tls_address": {0xe0, ""}, "GNU_uninit": {0xf0, ""}, "GNU_implicit_pointer": {0xf2, "os"}, "GNU_const_type": {0xf4, "c"}, "GNU_regval_type": {0xf5, "ut"},
	"GNU_deref_type": {0xf6, "1t"}, "GNU_convert": {0xf7, "t"}, "GNU_reinterpret": {0xf9, "t"}, "GNU_parameter_ref": {0xfa, "4"},
	"GNU_addr_index": {0xfb, "u"}, "GNU_const_index": {0xfc, "u"}, "GNU_variable_value": {0xfd, "o"},
}

// A number is a base type of expressions, with how a constant of it is written.
type number struct {
	name           string
	encoding, size int
}

// numbers are the types that constants here have.
var numbers = []number{
	{"s8", encodingSigned, 1}, {"u8", encodingUnsigned, 1}, {"s16", encodingSigned, 2}, {"u16", encodingUnsigned, 2},
	{"s32", encodingSigned, 4}, {"u32", encodingUnsigned, 4}, {"s64", encodingSigned, 8}, {"u64", encodingUnsigned, 8},
	{"f32", encodingFloat, 4}, {"f64", encodingFloat, 8}, {"f80", encodingFloat, 16}, {"b8", encodingBoolean, 1},
	{"ascii", encodingUnsignedChar, 1}, {"char", encodingSignedChar, 1}, {"c64", encodingComplex, 8}, {"d64", 0x0f, 8},
}

// numberTypes are the entries of the types.
func numberTypes() (out []ent) {
	for _, n := range numbers {
		out = append(out, base(n.name, n.encoding, n.size))
	}
	return out
}

// constant is a number in bytes of a type.
func (n number) constant(t testing.TB, text string) []byte {
	if n.encoding == encodingFloat {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if n.size == 4 {
			return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(f)))
		}
		return append(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)), make([]byte, n.size-8)...)
	}
	return binary.LittleEndian.AppendUint64(nil, uint64(integer(t, text)))[:n.size]
}

func integer(t testing.TB, text string) int64 {
	if v, err := strconv.ParseUint(text, 0, 64); err == nil {
		return int64(v)
	}
	v, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// assemble makes the bytes of an expression as readelf would print it, "lit1,
// const_type u8 255, plus". Labels of entries have their offsets in where.
func assemble(t testing.TB, code string, where func(label string) uint64) (out []byte) {
	t.Helper()
	for _, op := range strings.Split(code, ", ") {
		word := strings.Fields(op)
		if len(word) == 0 {
			continue
		}
		known, ok := written[word[0]]
		if !ok {
			t.Fatalf("no operation %q", word[0])
		}
		out = append(out, known.code)
		rest := word[1:]
		if strings.HasSuffix(known.operands, "o") && len(known.operands) == 2 { // an offset of so many bytes
			out = append(out, asm.At(0).U64(where(rest[0])).Build(t)[:known.operands[0]-'0']...)
			continue
		}
		for _, kind := range known.operands {
			out = append(out, operandOf(t, kind, rest, where)...)
			rest = rest[1:]
		}
	}
	return out
}

func operandOf(t testing.TB, kind rune, rest []string, where func(label string) uint64) []byte {
	t.Helper()
	switch kind {
	case '1', '2', '4', '8':
		return binary.LittleEndian.AppendUint64(nil, uint64(integer(t, rest[0])))[:kind-'0']
	case 'a':
		return words(uint64(integer(t, rest[0])))
	case 'u':
		return asm.ULEB(uint64(integer(t, rest[0])))
	case 's':
		return asm.SLEB(integer(t, rest[0]))
	case 't':
		return asm.ULEB(where(rest[0]))
	case 'o':
		return binary.LittleEndian.AppendUint32(nil, uint32(where(rest[0])))
	case 'e':
		return expr(assemble(t, strings.Join(rest, " "), where)...)
	case 'c':
		for _, n := range numbers {
			if n.name == rest[0] {
				b := n.constant(t, rest[1])
				return append(append(asm.ULEB(where(n.name)), byte(len(b))), b...)
			}
		}
	}
	t.Fatalf("no operand %c of %q", kind, rest)
	return nil
}
