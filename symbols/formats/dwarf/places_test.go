package dwarf

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/values"
	"crashglass/core/values/variables"
)

// A variable may be in pieces (section 2.6.1.2): bytes of registers, of memory,
// and some that are nowhere.
func TestPieces(t *testing.T) {
	for _, test := range []struct{ typ, code, want string }{
		{"u64", "reg3", "85"},
		{"u64", "regx 3", "85"},
		{"u32", "reg3, piece 2, const2u 0x1000, piece 2", "571539541"}, // 0x2211_0055
		{"u32", "lit1, stack_value, piece 2, lit2, stack_value, piece 2", "131073"},
		{"u32", "lit1, stack_value, piece 4, lit2, stack_value, piece 4", "1"}, // more than the variable
		{"u32", "lit1, stack_value, piece 2, piece 2", "<optimized_out>"},
		{"u32", "piece 4", "<optimized_out>"},
		{"u16", "const1u 0xab, stack_value, bit_piece 8 0, const1u 0xcd, stack_value, bit_piece 8 0", "52651"}, // 0xcdab
		{"u16", "const2u 0x1000, deref, stack_value, piece 2", "8721"},                                         // 0x2211
		{"u64", "const2u 0x3000", "<not_captured>"},
	} {
		if got, why := evaluated(t, test.typ, test.code); got != test.want {
			t.Errorf("%s: %s %s, want %s", test.code, got, why, test.want)
		}
	}
}

// An expression may use the place of another entry (DW_OP_call, section 2.5.1.5).
func TestCalledExpressions(t *testing.T) {
	procedure := func(name string, code ...byte) ent {
		return tag(tagVariable, name, of("s64"), says{atLocation, ops(code)})
	}
	where := []ent{
		procedure("five", opLit0+5),
		procedure("double", opDup, opPlus),
		tag(tagVariable, "nowhere", of("s64")),
		procedure("broken", opPlus),
		tag(tagVariable, "itself", of("s64"), says{atLocation, ops{opCallRef, 0, 0, 0, 0}}),
	}
	for _, test := range []struct{ code, want string }{
		{"call2 five, lit1, plus, stack_value", "6"},
		{"call4 five, lit1, plus, stack_value", "6"},
		{"call_ref five, lit1, plus, stack_value", "6"},
		{"call2 five, call2 double, stack_value", "10"}, // on the same stack
		{"lit3, call4 nowhere, stack_value", "3"},       // "no effect"
		{"call4 broken, stack_value", "an expression takes more numbers off the stack than there are"},
		{"call_ref none, stack_value", "an expression calls an entry that does not exist"},
	} {
		got, why := evaluated(t, "s64", test.code, where...)
		if why != "" {
			got = why
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.code, got, test.want)
		}
	}
}

// Expressions that call each other without end are ended.
func TestExpressionsWithoutEnd(t *testing.T) {
	loop := func(code ...byte) string {
		d := newTree().unit(5, cplus(base("int", encodingSigned, 4), body(tag(tagVariable, "v", of("int"), says{atLocation, ops(code)}))))
		v := variables.Read(frame(d.open(t), 0x1010, nil), variables.Limits{})[0].Values[0]
		return v.Why
	}
	at := newTree().unit(5, cplus(base("int", encodingSigned, 4), body(tag(tagVariable, "v")))).info.Addr("v")
	for name, test := range map[string]struct {
		code []byte
		want string
	}{
		"calls":  {[]byte{opCall4, byte(at), 0, 0, 0}, "expressions call each other more than 8 deep"},
		"jumps":  {[]byte{opSkip, 0xfd, 0xff}, "an expression takes more than 4096 steps"},
		"pushes": {[]byte{opLit0, opSkip, 0xfc, 0xff}, "an expression needs a stack of more than 1024 numbers"},
		"pieces": {[]byte{opPiece, 1, opSkip, 0xfb, 0xff}, "a place of more than 1024 pieces"},
	} {
		if got := loop(test.code...); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// A place that counts from a frame base needs one.
func TestNoFrameBase(t *testing.T) {
	variable := tag(tagVariable, "v", of("int"), says{atLocation, ops{opFbreg, 0}})
	d := newTree().unit(5, cplus(base("int", encodingSigned, 4), tag(tagSubprogram, "f", says{atLowPC, addr(0x1000)}, says{atHighPC, 0x100}, variable)))
	v := variables.Read(frame(d.open(t), 0x1010, nil), variables.Limits{})[0].Values[0]
	if want := "its place counts from a frame base, and the function has none"; v.Why != want {
		t.Errorf("%s, want %s", v.Why, want)
	}
}

// A pointer to what has no address leads to the variable (DW_OP_implicit_pointer).
func TestImplicitPointers(t *testing.T) {
	for code, name := range map[byte]string{opImplicitPtr: "implicit_pointer", opGNUImplicitPtr: "GNU_implicit_pointer"} {
		draw := func(to byte) *tree {
			return newTree().unit(5, cplus(base("int", encodingSigned, 4), tag(tagPointer, of("int")).at("p"), body(
				tag(tagVariable, "p", of("p"), says{atLocation, ops{code, to, 0, 0, 0, 0}}).at("the variable p"),
				tag(tagVariable, "i", of("int"), says{atLocation, ops{opLit0 + 7, opStackValue}}))))
		}
		f := draw(byte(draw(0).info.Addr("i"))).open(t)
		if got := values.Shown(frame(f, 0x1010, nil)); !strings.Contains(got, "= 7}") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Constants of variables come in many forms; those of fewer bytes have no sign.
func TestConstants(t *testing.T) {
	for _, test := range []struct {
		typ   string
		value any
		want  string
	}{
		{"s32", -5, "-5"},
		{"s32", 300, "300"},
		{"s32", raw{formData1, []byte{7}}, "7"},
		{"s32", raw{formData4, []byte{0xff, 0xff, 0xff, 0xff}}, "-1"},
		{"s64", raw{formData4, []byte{0xff, 0xff, 0xff, 0xff}}, "<unreadable>"}, // the rest may be ones or zeros
		{"s64", raw{formData4, []byte{0xff, 0xff, 0xff, 0x7f}}, "2147483647"},
		{"s64", raw{formData8, words(1<<64 - 9)}, "-9"},
		{"s32", raw{formBlock1, []byte{4, 1, 1, 0, 0}}, "257"},
		{"u64", raw{formAddr, words(0x1000)}, "1879052288"}, // an address moves with the module
	} {
		v := tag(tagVariable, "v", of(test.typ), says{atConstValue, test.value})
		f := newTree().unit(5, cplus(append(numberTypes(), body(v))...)).open(t)
		got := variables.Read(frame(f, 0x1010, nil), variables.Limits{})[0].Values[0]
		if text := strings.TrimPrefix(values.One(got), "v = "); strings.TrimPrefix(text, "v ") != test.want {
			t.Errorf("%v: %s, want %s", test.value, text, test.want)
		}
	}
}

// Lists of places in all kinds of entries (DW_LLE, section 7.7.3). The base of
// a unit is where its code begins.
func TestLocationEntries(t *testing.T) {
	one, two, three := []byte{2, opLit0 + 1, opStackValue}, []byte{2, opLit0 + 2, opStackValue}, []byte{2, opLit0 + 3, opStackValue}
	list := func(parts ...[]byte) []byte {
		s := asm.At(0)
		for _, p := range parts {
			s.Bytes(p)
		}
		return s.Build(t)
	}
	startEnd := func(a, b uint64, e []byte) []byte { return list([]byte{7}, words(a, b), e) }
	for _, test := range []struct {
		name string
		list []byte
		want map[uint64]string
	}{
		{"start and end", list(startEnd(0x1010, 0x1020, one), []byte{0}), map[uint64]string{0x100f: "<optimized_out>", 0x1010: "= 1", 0x101f: "= 1", 0x1020: "<optimized_out>"}},
		{"start and length", list([]byte{8}, words(0x1010), []byte{0x10}, one, []byte{0}), map[uint64]string{0x100f: "<optimized_out>", 0x1010: "= 1", 0x101f: "= 1", 0x1020: "<optimized_out>"}},
		{"offsets from the unit", list([]byte{4, 0x10, 0x20}, one, []byte{0}), map[uint64]string{0x1010: "= 1", 0x1020: "<optimized_out>"}},
		{"offsets from a base", list([]byte{6}, words(0x1040), []byte{4, 0x10, 0x20}, one, []byte{0}), map[uint64]string{0x1010: "<optimized_out>", 0x1050: "= 1"}},
		{"offsets from a base by index", list([]byte{1, 1, 4, 0x10, 0x20}, one, []byte{0}), map[uint64]string{0x1010: "<optimized_out>", 0x1070: "= 1", 0x1080: "<optimized_out>"}},
		{"two indexes", list([]byte{2, 0, 1}, one, []byte{0}), map[uint64]string{0x102f: "<optimized_out>", 0x1030: "= 1", 0x105f: "= 1", 0x1060: "<optimized_out>"}},
		{"an index and a length", list([]byte{3, 0, 0x10}, one, []byte{0}), map[uint64]string{0x1030: "= 1", 0x1040: "<optimized_out>"}},
		{"a default", list([]byte{5}, three, startEnd(0x1010, 0x1020, one), []byte{0}), map[uint64]string{0x1010: "= 1", 0x1030: "= 3"}},
		{"views of GNU", list([]byte{9, 1, 0x80, 1}, startEnd(0x1010, 0x1020, one), []byte{0}), map[uint64]string{0x1010: "= 1"}},
		{"the first that holds", list(startEnd(0x1010, 0x1020, two), startEnd(0x1018, 0x1030, one), []byte{0}), map[uint64]string{0x1018: "= 2", 0x1020: "= 1"}},
		{"an unknown kind", []byte{10}, map[uint64]string{0x1010: "<unreadable>"}},
		{"an expression that is truncated", list([]byte{7}, words(0x1000, 0x1100), []byte{9, opLit0}), map[uint64]string{0x1010: "<unreadable>"}},
		{"a base in dropped code", list([]byte{6}, words(0), []byte{4}, asm.ULEB(0x1000), asm.ULEB(0x1100), one, []byte{0}), map[uint64]string{0x1010: "<optimized_out>"}},
	} {
		d := newTree().unit(5, tag(tagCompileUnit, says{atAddrBase, raw{formSecOffset, []byte{8, 0, 0, 0}}}, says{atLowPC, addr(0x1000)},
			says{atHighPC, 0x1000}, base("int", encodingSigned, 4),
			body(tag(tagVariable, "v", of("int"), says{atLocation, raw{formSecOffset, []byte{0, 0, 0, 0}}}))))
		f := open(d.sections(t, map[string][]byte{"loclists": test.list, "addr": asm.At(0).Zeros(8).U64(0x1030, 0x1060).Build(t)}), Options{})
		for rel, want := range test.want {
			if got := values.Shown(frame(f, rel, nil)); got != "f: v "+want {
				t.Errorf("%s at %#x: %s, want %s", test.name, rel, got, want)
			}
		}
	}
}

// DW_FORM_loclistx counts in a table of offsets behind DW_AT_loclists_base (section 7.29).
func TestIndexedLocationLists(t *testing.T) {
	lists := asm.At(0).Zeros(12).U32(8, 0x18).Zeros(0).
		Bytes([]byte{4, 0, 0x20, 2, opLit0 + 1, opStackValue, 0}).Zeros(9).
		Bytes([]byte{4, 0, 0x20, 2, opLit0 + 2, opStackValue, 0}).Build(t)
	for index, want := range map[byte]string{0: "= 1", 1: "= 2", 200: "<unreadable>"} {
		d := newTree().unit(5, tag(tagCompileUnit, says{atLoclistsBase, raw{formSecOffset, []byte{12, 0, 0, 0}}}, says{atLowPC, addr(0x1000)},
			says{atHighPC, 0x1000}, base("int", encodingSigned, 4),
			body(tag(tagVariable, "v", of("int"), says{atLocation, raw{formLoclistx, asm.ULEB(uint64(index))}}))))
		f := open(d.sections(t, map[string][]byte{"loclists": lists}), Options{})
		if got := values.Shown(frame(f, 0x1010, nil)); got != "f: v "+want {
			t.Errorf("%d: %s, want %s", index, got, want)
		}
	}
}

// On CPUs of 32 bits an address has 4 bytes, and so have numbers without a type.
func TestAddressesOf32Bits(t *testing.T) {
	d := newTree()
	d.word = 4
	d.unit(4, cplus(append(numberTypes(), tag(tagPointer, of("s32")).at("p"), body(
		tag(tagVariable, "wrapped", of("s32"), says{atLocation, ops{opConst4u, 0xff, 0xff, 0xff, 0xff, opLit0 + 2, opPlus, opStackValue}}),
		tag(tagVariable, "null", of("p"), says{atLocation, ops{opConst8u, 0, 0, 0, 0, 1, 0, 0, 0, opLit0, opPlus, opStackValue}}),
		tag(tagVariable, "there", of("s32"), says{atLocation, ops{opAddr, 0, 0x20, 0, 0}}),
	))...))
	at := frame(d.open(t), 0x1010, captured{0x7000_2000: 9})
	at.Arch = &cpu.X86
	if got, want := values.Shown(at), "f: wrapped = 1, null = 0x00000000, there = 9"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
