package dwarf

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/values"
	"crashglass/core/values/variables"
)

// Numbers of registers that the tables of unwinding have, and those of ARM's floats, which they lack
// (DWARF for the Arm Architecture, section 4.1).
func TestRegisterNames(t *testing.T) {
	for _, test := range []struct {
		arch   string
		number uint64
		want   string
	}{
		{"arm", 63, ""}, {"arm", 64, "s0"}, {"arm", 95, "s31"}, {"arm", 96, ""},
		{"arm", 255, ""}, {"arm", 256, "d0"}, {"arm", 287, "d31"}, {"arm", 288, ""}, {"arm", 1 << 63, ""},
		{"arm", 0, "r0"}, {"arm", 15, "pc"},
		{"amd64", 3, "$rbx"}, {"amd64", 64, ""}, {"amd64", 256, ""},
	} {
		if got := register(test.arch, test.number); got != test.want {
			t.Errorf("%s %d: %q, want %q", test.arch, test.number, got, test.want)
		}
	}
}

// A float in the low bytes of a vector register, taken with its type (DW_OP_regval_type). An x87 register
// has another format, whatever the type.
func TestFloatsOfRegisters(t *testing.T) {
	xmm := binary.LittleEndian.AppendUint64(nil, math.Float64bits(2.5))
	single := binary.LittleEndian.AppendUint32(nil, math.Float32bits(-0.5))
	for _, test := range []struct {
		name, code string
		vector     []byte
		want       string
	}{
		{"8 bytes", "regval_type 17 f64, convert s64", append(xmm, make([]byte, 8)...), "2"},
		{"4 bytes", "regval_type 17 f32, const_type f32 8, mul, convert s64", append(single, make([]byte, 12)...), "-4"},
		{"a register that is too small", "regval_type 17 f64, convert s64", single, "an expression takes a float of 8 bytes from a register of 4"},
		{"an x87 register", "regval_type 33 f64, convert s64", make([]byte, 10), "an expression takes a float of 8 bytes from a register of 10"},
		{"a register that is not kept", "regval_type 17 f64, convert s64", nil, "it was in register $xmm0, which the functions that were called may have overwritten"},
		{"a float in a register of integers", "regval_type 3 f64, convert s64", nil, "0"}, // 0x55 is a denormal
	} {
		draw := func(where func(string) uint64) *tree {
			code := assemble(t, test.code+", stack_value", where)
			return newTree().unit(5, cplus(append(numberTypes(), body(tag(tagVariable, "v", of("s64"), says{atLocation, ops(code)})))...))
		}
		labels := draw(func(string) uint64 { return 0 }).info
		at := frame(draw(labels.Addr).open(t), 0x1010, nil)
		at.Vector = func(string) ([]byte, bool) { return test.vector, test.vector != nil }
		got := variables.Read(at, variables.Limits{})[0].Values[0]
		if text := got.Text + got.Why; text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
}

// What computes a number (here the frame base) may name a register, but no place and no pieces.
func TestFrameBases(t *testing.T) {
	for _, test := range []struct {
		name string
		base any
		want string
	}{
		{"the CFA", ops{opCallFrameCFA}, "= 7"}, // 0x9000
		{"an expression", ops{opConst2u, 0, 0x80, opConst2u, 0, 0x10, opPlus}, "= 7"},
		{"a register", ops{opReg0 + 3}, "= 8"}, // rbx, 0x8100
		{"a register by number", ops{opRegx, 3}, "= 8"},
		{"a list of places", off32(0), "= 8"},
		{"another register", ops{opReg0 + 12}, "it was in register $r12, which the functions that were called may have overwritten"},
		{"a number of no register", ops{opRegx, 0x7f}, "register 127 is not known"},
		{"pieces", ops{opReg0 + 3, opPiece, 8}, "an expression is no number: DW_OP_reg3, DW_OP_piece 8"},
		{"bytes", ops{opImplicitValue, 1, 9}, "an expression is no number: DW_OP_implicit_value 1 bytes"},
		{"nothing", ops{}, "an expression takes more numbers off the stack than there are"},
		{"a constant", 5, "a place in form 0xf"},
	} {
		function := tag(tagSubprogram, "f", says{atLowPC, addr(0x1000)}, says{atHighPC, 0x100}, says{atFrameBase, test.base},
			tag(tagVariable, "v", of("int"), says{atLocation, ops{opFbreg, 0}}))
		d := newTree().unit(4, cplus(base("int", encodingSigned, 4), function))
		list := append(words(0, 0x1000), 1, 0, opReg0+3)
		f := open(d.sections(t, map[string][]byte{"loc": append(list, words(0, 0)...)}), Options{})
		at := frame(f, 0x1010, captured{0x9000: 7, 0x8100: 8})
		at.Regs.Set(cpu.RBX, 0x8100)
		got := strings.TrimPrefix(values.Shown(at), "f: v ")
		if v := variables.Read(at, variables.Limits{})[0].Values[0]; v.Why != "" {
			got = v.Why
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// In a prologue the frame base's register does not hold the frame yet. That shows where the CFA of an
// interrupted frame counts from another one.
func TestFrameBaseOfInterrupted(t *testing.T) {
	function := tag(tagSubprogram, "f", says{atLowPC, addr(0x1000)}, says{atHighPC, 0x100}, says{atFrameBase, ops{opReg0 + 3}},
		tag(tagVariable, "v", of("int"), says{atLocation, ops{opFbreg, 0}}))
	f := newTree().unit(5, cplus(base("int", encodingSigned, 4), function)).open(t)
	const wrong = "the instruction is in a prologue or epilogue, where $rbx does not hold the frame"
	for _, test := range []struct {
		from        string
		interrupted bool
		want        string
	}{
		{from: "$rbx", interrupted: true, want: ""}, {from: "rbx", interrupted: true, want: ""},
		{from: "", interrupted: true, want: ""}, {from: "$rsp", interrupted: true, want: wrong},
		{from: "$rbp", interrupted: true, want: wrong}, {from: "$rsp", want: ""},
	} {
		at := frame(f, 0x1010, captured{0x8100: 8})
		at.Regs.Set(cpu.RBX, 0x8100)
		at.Interrupted, at.CFABase = test.interrupted, func() string { return test.from }
		if v := variables.Read(at, variables.Limits{})[0].Values[0]; v.Why != test.want {
			t.Errorf("CFA from %q, interrupted %v: %q, want %q", test.from, test.interrupted, v.Why, test.want)
		}
	}
	// A frame base that is the stack pointer holds whatever the CFA counts from.
	stack := tag(tagSubprogram, "f", says{atLowPC, addr(0x1000)}, says{atHighPC, 0x100}, says{atFrameBase, ops{opReg0 + 7}},
		tag(tagVariable, "v", of("int"), says{atLocation, ops{opFbreg, 0}}))
	at := frame(newTree().unit(5, cplus(base("int", encodingSigned, 4), stack)).open(t), 0x1010, captured{0x8000: 9})
	at.Interrupted, at.CFABase = true, func() string { return "$rbx" }
	if got, want := values.Shown(at), "f: v = 9"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// On big-endian CPUs of 32 bits a constant has the bytes of an address.
func TestBigEndianConstants(t *testing.T) {
	d := newTree()
	d.info.BigEndian()
	d.word = 4
	d.unit(4, cplus(base("int", encodingSigned, 4), body(
		tag(tagVariable, "literal", of("int"), says{atLocation, ops{opLit0 + 5, opStackValue}}),
		tag(tagVariable, "two", of("int"), says{atLocation, ops{opConst2u, 1, 2, opStackValue}}),
		tag(tagVariable, "constant", of("int"), says{atConstValue, raw{formData4, []byte{0, 0, 1, 0}}}))))
	sections := d.sections(t, nil)
	at := frame(open(sections, Options{BigEndian: true}), 0x1010, nil)
	at.Arch, at.BigEndian = &cpu.PPC, true
	if got, want := values.Shown(at), "f: literal = 5, two = 258, constant = 256"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Long expressions are shortened, and operations of GNU are written as theirs.
func TestLongExpressionText(t *testing.T) {
	u := &unit{group: &group{file: &File{}}, sizes: sizes{addr: 8, version: 5, offset: 4}}
	text := u.exprText(make([]byte, 1000))
	if want := "<damaged operation 0x0>"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	long := u.exprText([]byte(strings.Repeat(string(rune(opDup)), 1000)))
	if len(long) < maxExprText || len(long) > maxExprText+20 {
		t.Errorf("%d bytes of text", len(long))
	}
	for _, test := range []struct {
		expr []byte
		want string
	}{
		{[]byte{opGNUEntryValue, 1, opReg0 + 5}, "DW_OP_GNU_entry_value(DW_OP_reg5)"},
		{[]byte{opImplicitValue, 2, 7, 8}, "DW_OP_implicit_value 2 bytes"},
		{[]byte{opLit0, opReg0, opBreg0, 0}, "DW_OP_lit0, DW_OP_reg0, DW_OP_breg0 +0"},
		{[]byte{opLit0 + 31, opReg0 + 31, opBreg0 + 31, 0}, "DW_OP_lit31, DW_OP_reg31, DW_OP_breg31 +0"},
		{[]byte{opImplicitValue, 9, 7}, fmt.Sprintf("<damaged operation %#x>", opImplicitValue)},
	} {
		if got := u.exprText(test.expr); got != test.want {
			t.Errorf("% x: %s, want %s", test.expr, got, test.want)
		}
	}
}
