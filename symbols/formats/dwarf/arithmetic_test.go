package dwarf

import (
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/values/variables"
)

// evaluated is a variable of a type whose place is an expression, and why it is
// not known. Memory at 0x1000 holds bytes 0x11, 0x22, ... 0x88; rbx is 0x55.
func evaluated(t *testing.T, typ, code string, more ...ent) (text, why string) {
	t.Helper()
	draw := func(where func(string) uint64) *tree {
		entries := append(numberTypes(), more...)
		entries = append(entries, body(tag(tagVariable, "v", of(typ), says{atLocation, ops(assemble(t, code, where))})))
		return newTree().unit(5, cplus(entries...))
	}
	// The offsets of types are those of the tree without the expression, which is behind them.
	labels := draw(func(string) uint64 { return 0 }).info
	sections := draw(func(label string) uint64 {
		if label == "none" {
			return 0
		}
		return labels.Addr(label)
	}).sections(t, map[string][]byte{"addr": asm.At(0).Zeros(8).U64(0x1000, 0x1234).Build(t)})
	f := open(sections, Options{})
	at := frame(f, 0x1010, captured{0x1000: 0x8877665544332211})
	scopes := variables.Read(at, variables.Limits{})
	if len(scopes) != 1 || len(scopes[0].Values) != 1 {
		t.Fatalf("%s: %+v", code, scopes)
	}
	v := scopes[0].Values[0]
	if v.State != variables.Known {
		return "<" + v.State.String() + ">", v.Why
	}
	return v.Text, ""
}

// Arithmetic of numbers without a type is that of an address, with a sign where
// that matters (DWARF 5, sections 2.5.1.4 and 2.5.1.5).
func TestUntypedArithmetic(t *testing.T) {
	for _, test := range []struct{ code, want string }{
		{"const1s -7, abs", "7"},
		{"lit5, abs", "5"},
		{"lit5, neg", "-5"},
		{"lit0, neg", "0"},
		{"lit0, not", "-1"},
		{"const1u 12, const1u 10, and", "8"},
		{"const1u 12, const1u 10, or", "14"},
		{"const1u 12, const1u 10, xor", "6"},
		{"lit5, lit3, plus", "8"},
		{"lit3, lit5, minus", "-2"},
		{"const1s -3, lit5, mul", "-15"},
		{"const1s -7, lit2, div", "-3"}, // toward 0, as C does
		{"lit31, lit5, mod", "1"},
		{"const1s -1, lit2, mod", "1"}, // without a sign: of 2^64-1
		{"lit1, const1u 63, shl", "-9223372036854775808"},
		{"lit1, const1u 64, shl", "0"},
		{"lit1, const8u 0xffffffffffffffff, shl", "0"},
		{"const1s -1, const1u 60, shr", "15"},
		{"const1s -1, const1u 64, shr", "0"},
		{"const1s -16, lit2, shra", "-4"},
		{"const1s -16, const1u 200, shra", "-1"},
		{"lit5, const1u 200, shra", "0"},
		{"lit5, plus_uconst 300", "305"},
		{"const1s -1, plus_uconst 1", "0"},

		{"lit5, lit5, eq", "1"}, {"lit5, lit3, eq", "0"},
		{"lit5, lit5, ne", "0"}, {"lit5, lit3, ne", "1"},
		{"lit3, lit5, lt", "1"}, {"lit5, lit5, lt", "0"}, {"lit5, lit3, lt", "0"},
		{"lit3, lit5, le", "1"}, {"lit5, lit5, le", "1"}, {"lit5, lit3, le", "0"},
		{"lit3, lit5, gt", "0"}, {"lit5, lit5, gt", "0"}, {"lit5, lit3, gt", "1"},
		{"lit3, lit5, ge", "0"}, {"lit5, lit5, ge", "1"}, {"lit5, lit3, ge", "1"},
		{"const1s -1, lit0, lt", "1"}, {"const1s -1, lit0, gt", "0"}, // with a sign

		{"const1u 200", "200"}, {"const1s -56", "-56"},
		{"const2u 40000", "40000"}, {"const2s -25536", "-25536"},
		{"const4u 3000000000", "3000000000"}, {"const4s -1294967296", "-1294967296"},
		{"const8u 0x7fffffffffffffff", "9223372036854775807"}, {"const8s -2", "-2"},
		{"constu 300", "300"}, {"consts -300", "-300"},
		{"lit31", "31"}, {"lit1, nop", "1"}, {"lit1, GNU_uninit", "1"},

		{"lit1, lit2, dup, plus", "4"},
		{"lit1, lit2, drop", "1"},
		{"lit1, lit2, over, minus", "1"},
		{"lit1, lit2, swap, minus", "1"},
		{"lit1, lit2, lit3, pick 0", "3"},
		{"lit1, lit2, lit3, pick 2", "1"},
		// The top becomes the third, the second the top, the third the second.
		{"lit1, lit2, lit3, rot", "2"},
		{"lit1, lit2, lit3, rot, drop", "1"},
		{"lit1, lit2, lit3, rot, drop, drop", "3"},

		{"lit1, bra 1, lit2, lit3", "3"}, // over lit2
		{"lit0, bra 1, lit2, lit3", "3"},
		{"lit0, bra 1, lit2, nop", "2"},
		{"lit1, skip 1, lit2", "1"},
		{"lit1, skip 0", "1"},
	} {
		if got, why := evaluated(t, "s64", test.code+", stack_value"); got != test.want {
			t.Errorf("%s: %s %s, want %s", test.code, got, why, test.want)
		}
	}
}

// A number of a base type is as wide as that and has its sign (section 2.5.1.6).
func TestTypedArithmetic(t *testing.T) {
	for _, test := range []struct{ typ, code, want string }{
		{"s64", "const_type u8 255, const_type u8 2, plus, convert s64", "1"},
		{"s64", "const_type u8 1, const_type u8 2, minus, convert s64", "255"},
		{"s64", "const_type s8 127, const_type s8 1, plus, convert s64", "-128"},
		{"s64", "const_type s8 -128, abs, convert s64", "-128"}, // what does not fit wraps
		{"s64", "const_type s8 -100, abs, convert s64", "100"},
		{"s64", "const_type u8 200, abs, convert s64", "56"}, // DW_OP_abs takes its operand as one with a sign
		{"s64", "const_type s8 5, neg, convert s64", "-5"},
		{"s64", "const_type u8 5, neg, convert s64", "251"},
		{"s64", "const_type u8 5, not, convert s64", "250"},
		{"s16", "const_type s16 -300, const_type s16 7, div", "-42"},
		{"u16", "const_type u16 65000, const_type u16 7, div", "9285"},
		{"s16", "const_type s16 -300, const_type s16 7, mod", "-6"},
		{"u16", "const_type u16 65000, const_type u16 7, mod", "5"},
		{"u16", "const_type u16 0x8000, lit1, shl", "0"},
		{"u16", "const_type u16 0x8000, lit3, shr", "4096"},
		{"s16", "const_type s16 -32768, lit3, shra", "-4096"},
		{"u32", "const_type u32 0xffffffff, plus_uconst 2", "1"},
		{"u32", "const_type u32 0xffff0000, const_type u32 0x0ff00000, and", "267386880"},
		{"u64", "const_type u64 0xffffffffffffffff, const_type u64 10, div", "1844674407370955161"},
		{"u64", "const_type u64 0xffffffffffffffff, const_type u64 10, mod", "5"},

		{"s64", "const_type u8 200, const_type u8 100, gt", "1"},
		{"s64", "const_type s8 -56, const_type s8 100, gt", "0"},
		{"s64", "const_type u8 200, const_type u8 100, lt", "0"},
		{"s64", "const_type u8 200, const_type u8 200, ge", "1"},
		{"s64", "const_type b8 1, const_type b8 0, gt", "1"},
		{"s64", "const_type ascii 200, const_type ascii 100, gt", "1"},
		{"s64", "const_type char 200, const_type char 100, gt", "0"},

		{"f64", "const_type f64 1.5, const_type f64 2.25, plus", "3.75"},
		{"f64", "const_type f64 1.5, const_type f64 2.25, minus", "-0.75"},
		{"f64", "const_type f64 1.5, const_type f64 2.5, mul", "3.75"},
		{"f64", "const_type f64 1, const_type f64 8, div", "0.125"},
		{"f64", "const_type f64 1, const_type f64 0, div", "+Inf"},
		{"f32", "const_type f32 1.5, const_type f32 2.25, plus", "3.75"},
		{"f32", "const_type f32 -1.5, abs", "1.5"},
		{"f64", "const_type f64 -1.5, abs", "1.5"},
		{"f64", "const_type f64 1.5, neg", "-1.5"},
		{"s64", "const_type f64 1.5, const_type f64 1.5, eq", "1"},
		{"s64", "const_type f64 1.5, const_type f64 2.5, ne", "1"},
		{"s64", "const_type f64 1.5, const_type f64 2.5, lt", "1"},
		{"s64", "const_type f64 -1.5, const_type f64 -2.5, lt", "0"},
		{"s64", "const_type f64 1.5, const_type f64 1.5, le", "1"},
		{"s64", "const_type f32 1.5, const_type f32 2.5, gt", "0"},
		{"s64", "const_type f32 -1.5, const_type f32 -2.5, ge", "1"},
	} {
		if got, why := evaluated(t, test.typ, test.code+", stack_value"); got != test.want {
			t.Errorf("%s: %s %s, want %s", test.code, got, why, test.want)
		}
	}
}

// DW_OP_convert keeps the value, DW_OP_reinterpret the bits. Without a type,
// offset 0, the number is an address.
func TestConversions(t *testing.T) {
	for _, test := range []struct{ typ, code, want string }{
		{"s64", "const_type s8 -1, convert s64", "-1"},
		{"s64", "const_type u8 255, convert s64", "255"},
		{"s64", "const_type s32 -1, convert u8, convert s64", "255"},
		{"s64", "const_type u32 200, convert s8, convert s64", "-56"},
		{"s64", "const_type s8 -2, convert none", "-2"},
		{"s64", "const1s -2, convert s64", "-2"},
		{"u32", "const1s -2, convert u32", "4294967294"},
		{"f64", "const_type s8 -2, convert f64", "-2"},
		{"f64", "const_type u64 0x8000000000000000, convert f64", "9.2233720368547758E+18"},
		{"f32", "const_type s32 3, convert f32", "3"},
		{"s32", "const_type f64 -2.75, convert s32", "-2"}, // toward 0
		{"s64", "const_type f32 2.75, convert s64", "2"},
		{"f32", "const_type f64 0.5, convert f32", "0.5"},
		{"f64", "const_type f32 0.5, convert f64", "0.5"},
		{"s64", "const_type f64 1, reinterpret s64", "4607182418800017408"},
		{"f32", "const_type u32 0x3fc00000, reinterpret f32", "1.5"},
		{"s64", "const_type u8 255, reinterpret s8, convert s64", "-1"},
		{"s64", "const8u 5, reinterpret s64", "5"},
		{"s64", "const_type s64 5, reinterpret none", "5"},
		{"s32", "GNU_const_type s32 -4, GNU_convert s32, GNU_reinterpret s32", "-4"},
	} {
		if got, why := evaluated(t, test.typ, test.code+", stack_value"); got != test.want {
			t.Errorf("%s: %s %s, want %s", test.code, got, why, test.want)
		}
	}
}

// What registers and memory hold, with types and without.
func TestLoads(t *testing.T) {
	for _, test := range []struct{ typ, code, want string }{
		{"u64", "const2u 0x1000, deref", "9833440827789222417"},
		{"u64", "const2u 0x1000, deref_size 1", "17"},
		{"u64", "const2u 0x1001, deref_size 2", "13090"}, // 0x3322
		{"u64", "const2u 0x1004, deref_size 4", "2289526357"},
		{"s64", "const2u 0x1007, deref_type 1 u8, convert s64", "136"},
		{"s64", "const2u 0x1007, deref_type 1 s8, convert s64", "-120"},
		{"s64", "const2u 0x1007, GNU_deref_type 1 s8, convert s64", "-120"},
		{"u64", "breg3 0", "85"},
		{"u64", "breg3 -5", "80"},
		{"u64", "bregx 3 11", "96"},
		{"s64", "regval_type 3 u8, convert s64", "85"},
		{"s64", "GNU_regval_type 3 u8, convert s64", "85"},
		{"u64", "regval_type 3 none", "85"},
		{"u64", "fbreg -16", "36848"}, // the CFA is 0x9000
		{"u64", "call_frame_cfa", "36864"},
		{"u64", "addrx 0", "1879052288"}, {"u64", "GNU_addr_index 0", "1879052288"},
		{"u64", "constx 1", "4660"}, {"u64", "GNU_const_index 1", "4660"},
		{"u64", "addr 0x2000", "1879056384"}, // with the module at 0x7000_0000,
	} {
		if got, why := evaluated(t, test.typ, test.code+", stack_value"); got != test.want {
			t.Errorf("%s: %s %s, want %s", test.code, got, why, test.want)
		}
	}
}

// What cannot be evaluated says why.
func TestExpressionDefects(t *testing.T) {
	const floats = "an expression uses an operation on floats that is not supported"
	const empty = "an expression takes more numbers off the stack than there are"
	for _, test := range []struct{ code, why string }{
		{"plus", empty}, {"lit1, plus", empty}, {"abs", empty}, {"deref", empty}, {"plus_uconst 1", empty}, {"bra 0", empty}, {"convert s64", empty},
		{"stack_value", empty}, {"lit1, drop", empty},
		{"dup", "an expression needs 1 numbers on the stack, and there are 0"},
		{"drop", "an expression needs 1 numbers on the stack, and there are 0"},
		{"lit1, over", "an expression needs 2 numbers on the stack, and there are 1"},
		{"lit1, swap", "an expression needs 2 numbers on the stack, and there are 1"},
		{"lit1, lit2, rot", "an expression needs 3 numbers on the stack, and there are 2"},
		{"lit1, pick 1", "an expression needs 2 numbers on the stack, and there are 1"},
		{"lit1, lit0, mod", "an expression divides by zero"},
		{"lit1, const_type u8 0, div", "an expression divides by zero"},
		{"skip 9", "an expression jumps to 12 of 4 bytes"},
		{"skip -4", "an expression jumps to -1 of 4 bytes"},
		{"lit1, bra 99", "an expression jumps to 103 of 5 bytes"},
		{"breg31 0", "register $xmm14 is not followed by the walk"},
		{"bregx 4000 0", "register 4000 is not known"},
		{"regval_type 4000 u8", "register 4000 is not known"},
		{"xderef", "operation 0x95 is unknown or truncated: <damaged operation 0x95>"},
		{"form_tls_address", "it is local to the thread, and where those are is not known from a dump"},
		{"GNU_push_tls_address", "it is local to the thread, and where those are is not known from a dump"},
		{"push_object_address", "operation DW_OP_push_object_address is not supported"},
		{"GNU_parameter_ref 0", "operation DW_OP_GNU_parameter_ref is not supported"},
		{"GNU_variable_value none", "operation DW_OP_GNU_variable_value is not supported"},

		{"const_type f64 1, lit1, plus", floats},
		{"lit1, const_type f64 1, plus", floats},
		{"const_type f64 1, const_type f32 1, plus", floats},
		{"const_type f64 1, const_type f64 1, and", floats},
		{"const_type f64 1, const_type f64 1, mod", floats},
		{"const_type f64 1, const_type f64 1, shl", floats},
		{"const_type f64 1, not", floats},
		{"const_type f64 1, plus_uconst 1", "an expression adds an integer to a float"},
		{"const_type f64 1e300, convert s64", "an expression makes an integer of 1e+300"},
		{"const_type f64 NaN, convert s64", "an expression makes an integer of NaN"},
		{"const_type f64 9223372036854775808, convert s64", "an expression makes an integer of 9.223372036854776e+18"},
		{"const_type u8 1, reinterpret s32", "an expression takes 8 bits for 32"},
		{"lit1, reinterpret s32", "an expression takes 64 bits for 32"},
		{"const_type f80 1", "a constant of 16 bytes in an expression"},
		{"lit1, convert f80", "an expression computes with type f80, which is not supported"},
		{"lit1, convert c64", "an expression computes with type c64, which is not supported"},
		{"lit1, convert d64", "an expression computes with type d64, which is not supported"},
		{"entry_value lit1", "an entry value of something else than a register: DW_OP_lit1"},
	} {
		got, why := evaluated(t, "s64", test.code+", stack_value")
		if got != "<unreadable>" || why != test.why {
			t.Errorf("%s: %s %q, want %q", test.code, got, why, test.why)
		}
	}
}

// The text of an expression is that of llvm-dwarfdump and readelf.
func TestExpressionText(t *testing.T) {
	u := &unit{group: &group{file: &File{}}}
	u.addr, u.version, u.offset = 8, 5, 4
	where := func(string) uint64 { return 0x40 }
	for code, want := range map[string]string{
		"lit31, reg31, breg31 -1":               "DW_OP_lit31, DW_OP_reg31, DW_OP_breg31 -1",
		"breg3 8, fbreg -16, bregx 70 -8":       "DW_OP_breg3 +8, DW_OP_fbreg -16, DW_OP_bregx 70 -8",
		"addr 0x1234, const1s -2, const2s -300": "DW_OP_addr 0x1234, DW_OP_const1s -2, DW_OP_const2s -300",
		"const4s -70000, consts -9, constu 9":   "DW_OP_const4s -70000, DW_OP_consts -9, DW_OP_constu 9",
		"piece 4, bit_piece 3 5, stack_value":   "DW_OP_piece 4, DW_OP_bit_piece 3 5, DW_OP_stack_value",
		"call2 x, call4 x, call_ref x":          "DW_OP_call2 0x40, DW_OP_call4 0x40, DW_OP_call_ref 0x40",
		"implicit_pointer x -4":                 "DW_OP_implicit_pointer 0x40 -4",
		"entry_value reg5, deref_size 2":        "DW_OP_entry_value(DW_OP_reg5), DW_OP_deref_size 2",
		"const_type u16 7, regval_type 3 u16":   "DW_OP_const_type 64 2 bytes, DW_OP_regval_type 3 64",
	} {
		if got := u.exprText(assemble(t, code, where)); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
