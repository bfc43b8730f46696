package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/values/variables"
)

// piecesOf writes where the pieces of a variable are: "@8000", "rbx", "rbx[8:8]" of bits 8 to
// 15, "#0700" of a constant, "?" for what is missing; ":32" is a number of bits.
func piecesOf(p variables.Place) string {
	var out []string
	for _, piece := range p.Pieces {
		text := "?"
		switch piece.Kind {
		case variables.InMemory:
			text = fmt.Sprintf("@%x", piece.Addr)
		case variables.InRegister:
			text = piece.Reg
			if piece.BitsAt > 0 {
				text += fmt.Sprintf("[%d]", piece.BitsAt)
			}
		case variables.Constant:
			text = fmt.Sprintf("#%x", piece.Bytes)
		}
		if piece.Partial {
			text += fmt.Sprint(":", piece.Bits)
		}
		if piece.Why != nil {
			text += " (" + piece.Why.Why + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// placedIn is the rule of the only variable of a frame, and what it leads to.
func placedIn(t testing.TB, f *File, frame *variables.Context) string {
	t.Helper()
	scopes := f.Scopes(frame.Rel())
	if len(scopes) != 1 || len(scopes[0].Variables) != 1 {
		t.Fatalf("%+v, want one variable", scopes)
	}
	v := scopes[0].Variables[0]
	if v.Rule == nil {
		return "no rule"
	}
	place, err := v.Rule.Place(&variables.Eval{Frame: frame})
	if err != nil {
		return v.Rule.String() + " <" + err.Error() + ">"
	}
	return v.Rule.String() + " = " + piecesOf(place)
}

// TestRules has one variable each: the words of its record, and the place that they lead to.
func TestRules(t *testing.T) {
	const noBase = "the function has no S_FRAMEPROC record that says what its variables count from"
	stack := captured{0x8000: 0x9000, 0x8008: 0x8020, 0x8020: 0x44}
	for _, tt := range []struct {
		name    string
		machine uint16
		body    func(scene)
		want    string
	}{
		{"a register", machineAMD64, func(s scene) { s.local(0x76, 0, "v").ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 0, 0x40) }, "S_DEFRANGE_REGISTER rbx = rbx"},
		{"the second byte of one", machineAMD64, func(s scene) { s.local(0x70, 0, "v").ranged(symRangeReg, asm.At(0).U16(8, 0), 0, 0x40) }, "S_DEFRANGE_REGISTER rbx = rbx[8]:8"},
		{"half of one", machineAMD64, func(s scene) { s.local(0x74, 0, "v").ranged(symRangeReg, asm.At(0).U16(20, 0), 0, 0x40) }, "S_DEFRANGE_REGISTER rbx = rbx:32"},
		{"all of a vector", machineAMD64, func(s scene) { s.local(0x74, 0, "v").ranged(symRangeReg, asm.At(0).U16(154, 0), 0, 0x40) }, "S_DEFRANGE_REGISTER xmm0 = xmm0"},
		{"a register without a name", machineAMD64, func(s scene) { s.local(0x74, 0, "v").ranged(symRangeReg, asm.At(0).U16(999, 0), 0, 0x40) },
			"S_DEFRANGE_REGISTER register 999 <register 999 is not known>"},
		{"a register on some paths", machineAMD64, func(s scene) { s.local(0x74, 0, "v").ranged(symRangeReg, asm.At(0).U16(cvRBX, 1), 0, 0x40) },
			"S_DEFRANGE_REGISTER rbx <on some paths to this instruction rbx does not hold it>"},
		{"a constant", machineAMD64, func(s scene) { s.add(symConstant, asm.At(0).U32(0x74).U16(0x8003).U32(0xffff_fffe).Text("v\x00")) }, "S_CONSTANT = #feffffffffffffff"},
		{"an old constant", machineAMD64, func(s scene) { s.add(symConstantST, asm.At(0).U32(0x74).U16(7).U8(1).Text("v")) }, "S_CONSTANT = #0700000000000000"},
		{"an old register", machineAMD64, func(s scene) { s.add(symRegisterST, asm.At(0).U32(0x74).U16(cvRBX).U8(1).Text("v")) }, "S_REGISTER rbx = rbx"},
		{"behind an old register", machineAMD64, func(s scene) { s.add(symRegRelST, asm.At(0).U32(8, 0x74).U16(cvRBX).U8(1).Text("v")) }, "S_REGREL32 rbx+8 = @2a0000000f"},
		{"before a register", machineAMD64, func(s scene) { s.regRel(0xffff_fff8, 0x74, cvRBX, "v") }, "S_REGREL32 rbx-8 = @29ffffffff"},
		{"behind a register that the walk does not know", machineAMD64, func(s scene) { s.regRel(8, 0x74, 999, "v") }, "S_REGREL32 register 999+8 <register 999 is not known>"},
		{"behind a pointer", machineAMD64, func(s scene) {
			s.local(0x74, 0, "v").ranged(symRangeIndirect, asm.At(0).U16(cvRCX, 0).U32(0xffff_ffe8, 4), 0, 0x40)
		}, "S_DEFRANGE_REGISTER_REL_INDIR [rcx-24]+4 = @8024"},
		{"behind a pointer that is not in the dump", machineAMD64, func(s scene) {
			s.local(0x74, 0, "v").ranged(symRangeIndirect, asm.At(0).U16(cvRCX, 0).U32(0x1000, 4), 0, 0x40)
		}, "S_DEFRANGE_REGISTER_REL_INDIR [rcx+4096]+4 <memory at 0x9020 is not in the dump>"},
		{"in the image", machineAMD64, func(s scene) { s.add(symLocalData, asm.At(0).U32(0x74, 0x10).U16(2).Text("v\x00")) }, "S_LDATA32 0002:00000010 = @70002010"},
		{"in thread-local storage", machineAMD64, func(s scene) { s.add(symGlobalTLS, asm.At(0).U32(0x74, 0x10).U16(2).Text("v\x00")) },
			"S_GTHREAD32 0002:00000010 <variables in thread-local storage are not read>"},
		{"in several registers", machineAMD64, func(s scene) { s.add(symManyReg2, asm.At(0).U32(0x76).U16(2, cvRBX, cvRCX).Text("v\x00")) },
			"S_MANYREG2 <S_MANYREG2 records are not read>"},
		{"by a program", machineAMD64, func(s scene) { s.local(0x74, 0, "v").ranged(symRange, asm.At(0).U32(1), 0, 0x40) }, "S_DEFRANGE <S_DEFRANGE records are not read>"},
		{"static in a file", machineAMD64, func(s scene) {
			s.add(symFileStatic, asm.At(0).U32(0x74, 5).U16(0).Text("v\x00")).ranged(symRangeRegRel, asm.At(0).U16(cvRCX, 0).U32(4), 0, 0x40)
		}, "S_DEFRANGE_REGISTER_REL rcx+4 = @8024"},
		{"nowhere at the instruction", machineAMD64, func(s scene) { s.local(0x74, 0, "v").ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 0x20, 0x40) },
			"no S_DEFRANGE record covers the instruction <the debug information has no place for it at this instruction>"},
		{"without a frame record", machineAMD64, func(s scene) { s.local(0x74, 0, "v").add(symRangeAllFrame, asm.At(0).U32(8)) },
			"S_DEFRANGE_FRAMEPOINTER_REL_FULL_SCOPE +8 <" + noBase + ">"},
		{"locals from the third base", machineAMD64, func(s scene) { s.frameProc(0x38, 3, 1).local(0x74, 0, "v").add(symRangeAllFrame, asm.At(0).U32(8)) },
			"S_DEFRANGE_FRAMEPOINTER_REL_FULL_SCOPE r13+8 <it was in register r13, which the functions that were called may have overwritten>"},
		{"arguments from another base than locals", machineAMD64, func(s scene) {
			s.frameProc(0x38, 3, 1).local(0x74, localIsParam, "v").add(symRangeAllFrame, asm.At(0).U32(8))
		}, "S_DEFRANGE_FRAMEPOINTER_REL_FULL_SCOPE rsp+8 = @8008"},
		{"S_BPREL32 of x64", machineAMD64, func(s scene) { s.add(symBPRel, asm.At(0).U32(8, 0x74).Text("v\x00")) },
			"S_BPREL32 rbp+8 <the instruction is in a prologue or epilogue, where rbp does not hold the frame>"},
		{"S_BPREL32 of x86", machineX86, func(s scene) { s.add(symBPRel, asm.At(0).U32(0xffff_fff8, 0x74).Text("v\x00")) }, "S_BPREL32 ebp-8 = @7ff8"},
		{"an old S_BPREL32", machineX86, func(s scene) { s.add(symBPRelST, asm.At(0).U32(8, 0x74).U8(1).Text("v")) }, "S_BPREL32 ebp+8 = @8008"},
		{"of the virtual frame", machineX86, func(s scene) {
			s.frameProc(0x38, 1, 2).local(0x74, 0, "v").ranged(symRangeFrame, asm.At(0).U32(0xffff_fff8), 0, 0x40)
		}, "S_DEFRANGE_FRAMEPOINTER_REL $T0-8 = @8030"},
		{"of ebp, for arguments", machineX86, func(s scene) {
			s.frameProc(0x38, 1, 2).local(0x74, localIsParam, "v").ranged(symRangeFrame, asm.At(0).U32(8), 0, 0x40)
		}, "S_DEFRANGE_FRAMEPOINTER_REL ebp+8 = @8008"},
		{"of ebx", machineX86, func(s scene) {
			s.frameProc(0x38, 3, 2).local(0x74, 0, "v").ranged(symRangeFrame, asm.At(0).U32(8), 0, 0x40)
		}, "S_DEFRANGE_FRAMEPOINTER_REL ebx+8 <it was in register ebx, which the functions that were called may have overwritten>"},
		{"counted from the virtual frame by its number", machineX86, func(s scene) { s.regRel(8, 0x74, cvVFRAME, "v") }, "S_REGREL32 $T0+8 = @8040"},
		{"optimized away", machineAMD64, func(s scene) { s.local(0x74, localOptimized, "v") }, "no rule"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := openBytes(t, functionScene(t, tt.machine, tt.body).build(t))
			if got := placedIn(t, f, frameAt(f, 0x1010, stack)); got != tt.want || len(f.Notes()) > 0 {
				t.Errorf("got  %s\nwant %s (%q)", got, tt.want, f.Notes())
			}
		})
	}
}

// TestParts has a structure of three numbers of four bytes, joined from parts.
func TestParts(t *testing.T) {
	reg := func(number uint16, at uint32) *asm.Section { return asm.At(0).U16(number, 0).U32(at) }
	mem := func(at uint16, off uint32) *asm.Section { return asm.At(0).U16(cvRCX, at<<4|1).U32(off) }
	for _, tt := range []struct {
		name string
		body func(scene)
		want string
	}{
		{"all three", func(s scene) {
			s.ranged(symRangePartReg, reg(cvRBX, 0), 0, 0x40).ranged(symRangePartReg, reg(336, 4), 0, 0x40).ranged(symRangePartReg, reg(337, 8), 0, 0x40)
		}, "rbx:32 r8:32 r9:32"},
		{"not in their order", func(s scene) {
			s.ranged(symRangePartReg, reg(337, 8), 0, 0x40).ranged(symRangePartReg, reg(cvRBX, 0), 0, 0x40)
		}, "rbx:32 ?:32 r9:32"},
		{"the last alone", func(s scene) { s.ranged(symRangePartReg, reg(cvRBX, 8), 0, 0x40) }, "?:64 rbx:32"},
		{"in memory", func(s scene) { s.ranged(symRangeRegRel, mem(4, 0x10), 0, 0x40) }, "?:32 @8030:32 ?:32"},
		{"within a member", func(s scene) { s.ranged(symRangePartReg, reg(cvRBX, 6), 0, 0x40) }, "?:48 rbx:16 ?:32"},
		{"in a register of two bytes", func(s scene) { s.ranged(symRangePartReg, reg(9, 0), 0, 0x40) }, "rax:16 ?:80"},
		{"one of them on some paths", func(s scene) {
			s.ranged(symRangePartReg, asm.At(0).U16(cvRBX, 1).U32(0), 0, 0x40).ranged(symRangePartReg, reg(336, 4), 0, 0x40)
		}, "?:32 (on some paths to this instruction rbx does not hold it) r8:32 ?:32"},
		{"two of one place", func(s scene) {
			s.ranged(symRangePartReg, reg(cvRBX, 4), 0, 0x40).ranged(symRangePartReg, reg(336, 4), 0, 0x40)
		}, "?:32 r8:32 ?:32"}, // the range of the first is empty
		{"behind the structure", func(s scene) { s.ranged(symRangePartReg, reg(cvRBX, 12), 0, 0x40) }, "?:96"},
		{"a whole variable before its parts", func(s scene) {
			s.ranged(symRangeRegRel, asm.At(0).U16(cvRCX, 0).U32(8), 0, 0x40).ranged(symRangePartReg, reg(cvRBX, 0), 0, 0x40)
		}, "@8028"},
		{"and behind them", func(s scene) {
			s.ranged(symRangePartReg, reg(cvRBX, 0), 0, 0x40).ranged(symRangeRegRel, asm.At(0).U16(cvRCX, 0).U32(8), 0, 0x40)
		}, "@8028"},
	} {
		f := openBytes(t, functionScene(t, machineAMD64, func(s scene) { tt.body(s.local(0x1006, 0, "q")) }).build(t))
		got := placedIn(t, f, frameAt(f, 0x1010, nil))
		if _, place, _ := strings.Cut(got, " = "); place != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestPartsOfNothing has parts of a type without a size, and more parts than are joined.
func TestPartsOfNothing(t *testing.T) {
	part := func(s scene, at uint32) { s.ranged(symRangePartReg, asm.At(0).U16(cvRBX, 0).U32(at&0xfff), 0, 0x40) }
	for _, tt := range []struct {
		name string
		typ  uint32
		n    uint32
		want string
	}{
		{"of no known size", 0, 1, "the parts are of a variable whose size is not known"},
		{"256 parts", 0x1006, 256, "= rbx:8"},
		{"257 parts", 0x1006, 257, "the variable has more than 256 parts"},
		{"258 parts", 0x1006, 258, "the variable has more than 256 parts"},
	} {
		f := openBytes(t, functionScene(t, machineAMD64, func(s scene) {
			s.local(tt.typ, 0, "q")
			for i := range tt.n {
				part(s, i)
			}
		}).build(t))
		if got := placedIn(t, f, frameAt(f, 0x1010, nil)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got[max(0, len(got)-200):], tt.want)
		}
	}
}

// TestPointerArguments has an argument of more bytes than a word in a function of x86 whose
// frame data says how much of the stack its arguments take: less than their types, so some are
// pointers.
func TestPointerArguments(t *testing.T) {
	const said = "the arguments take less of the stack than their types, so that this one may be a pointer"
	for _, tt := range []struct {
		name   string
		params uint32
		typ    uint32
		want   string
	}{
		{"a structure in all of its bytes", 28, 0x1003, "S_BPREL32 ebp+8 = @8008"},
		{"a structure that may be a pointer", 8, 0x1003, "S_BPREL32 ebp+8 <" + said + ">"},
		{"an array that may be one", 27, 0x1009, "S_BPREL32 ebp+8 <" + said + ">"},
		{"a number is none", 8, 0x74, "S_BPREL32 ebp+8 = @8008"},
		{"nor is a wide number", 8, 0x76, "S_BPREL32 ebp+8 = @8008"},
	} {
		p := functionScene(t, machineX86, func(s scene) { s.add(symBPRel, asm.At(0).U32(8, tt.typ).Text("v\x00")) })
		p.text = []string{byFrame}
		p.optional = map[int][]byte{optFrameData: asm.At(0).U32(0x1000, 0x100, 0, tt.params, 0, p.nameAt(byFrame)).U16(0, 0).U32(0).Build(t)}
		f := openBytes(t, p.build(t))
		if got := placedIn(t, f, frameAt(f, 0x1010, nil)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestByReference has an argument that x64 passes as a pointer because of its size, at the
// caller's frame (8040) and in the function's own.
func TestByReference(t *testing.T) {
	types := map[uint32]string{0x70: "@8040", 0x72: "@8040", 0x74: "@8040", 0x76: "@8040", 0x1006: "@9000", 0x1009: "@9000", 0x78: "@9000"}
	for typ, want := range types {
		for off, want := range map[uint32]string{0x40: want, 0x38: "@8038"} {
			f := openBytes(t, functionScene(t, machineAMD64, func(s scene) {
				s.frameProc(0x38, 1, 1).local(typ, localIsParam, "v").add(symRangeAllFrame, asm.At(0).U32(off))
			}).build(t))
			got := placedIn(t, f, frameAt(f, 0x1010, captured{0x8040: 0x9000, 0x8038: 0x9000}))
			if _, place, _ := strings.Cut(got, " = "); place != want {
				t.Errorf("%#x at %#x: %s, want %s", typ, off, got, want)
			}
		}
	}
}

// TestBodyBySize has functions whose record does not say where the body is: the distance from
// the stack pointer to the CFA tells, or the frame pointer that the unwind codes use.
func TestBodyBySize(t *testing.T) {
	const in, out = "S_REGREL32 rbp+0 = @8000", "S_REGREL32 rbp+0 <the instruction is in a prologue or epilogue, where rbp does not hold the frame>"
	for _, tt := range []struct {
		name        string
		size        uint32 // of the frame
		interrupted bool
		cfa         uint64 // 0 where it is not known
		base        string
		want        string
	}{
		{name: "of the size that the record says", size: 0x38, interrupted: true, cfa: 0x8040, base: "$rsp", want: in},
		{name: "eight bytes less", size: 0x30, interrupted: true, cfa: 0x8040, base: "$rsp", want: out},
		{name: "eight bytes more", size: 0x40, interrupted: true, cfa: 0x8040, base: "$rsp", want: out},
		{name: "the unwind codes count from it", size: 0x30, interrupted: true, cfa: 0x8040, base: "$rbp", want: in},
		{name: "no CFA, at a call", size: 0x38, cfa: 0, base: "$rsp", want: in},
		{name: "no CFA, anywhere", size: 0x38, interrupted: true, cfa: 0, base: "$rsp", want: out},
		{name: "no CFA, and no frame", size: 0, interrupted: true, cfa: 0, base: "$rsp", want: in},
	} {
		f := openBytes(t, functionScene(t, machineAMD64, func(s scene) { s.frameProc(tt.size, 2, 2).regRel(0, 0x74, 334, "v") }).build(t))
		frame := frameAt(f, 0x1010, nil)
		frame.Regs.Set(cpu.RBP, 0x8000)
		frame.Interrupted, frame.CFABase = tt.interrupted, func() string { return tt.base }
		frame.CFA = func() (uint64, bool) { return tt.cfa, tt.cfa != 0 }
		if got := placedIn(t, f, frame); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestBodyByRecord has functions whose record says where the body begins and ends, as MSVC
// writes it: at 10 and 80 of 100 bytes. A call before the end may return to it.
func TestBodyByRecord(t *testing.T) {
	for _, tt := range []struct {
		rel         uint64
		interrupted bool
		want        bool
	}{
		{rel: 0x100f, interrupted: true}, {rel: 0x1010, interrupted: true, want: true},
		{rel: 0x1080, interrupted: true, want: true}, {rel: 0x1081, interrupted: true}, {rel: 0x1081, want: true}, {rel: 0x100f},
	} {
		p := functionScene(t, machineAMD64, func(s scene) {})
		s := scene{symbolRecords(), t}
		s.Bytes(rec(t, symProc, asm.At(0).U32(0, 0, 0, 0x100, 0x10, 0x80, 0x1001, 0).U16(1).U8(0).Text("f\x00")))
		s.frameProc(0x1000, 2, 2).regRel(0, 0x74, 334, "v")
		addEnd(t, s.Section, 6)
		p.modules[0].symbols = s.Section
		f := openBytes(t, p.build(t))
		frame := frameAt(f, tt.rel, nil)
		frame.Regs.Set(cpu.RBP, 0x8000)
		frame.Interrupted = tt.interrupted
		if got := placedIn(t, f, frame); strings.HasSuffix(got, "= @8000") != tt.want {
			t.Errorf("%#x, interrupted %v: %s", tt.rel, tt.interrupted, got)
		}
	}
}

// TestBodyOfX86 has a function of x86: its frame data says how long the prologue is, and before
// a return ebp is the caller's.
func TestBodyOfX86(t *testing.T) {
	const nop, ret, retN = 0x90, 0xc3, 0xc2
	for _, tt := range []struct {
		name        string
		rel         uint64
		interrupted bool
		data        bool // there is frame data, with a prologue of 5
		op          uint64
		want        bool
	}{
		{name: "behind the prologue", rel: 0x1010, interrupted: true, data: true, op: nop, want: true},
		{name: "at its end", rel: 0x1005, interrupted: true, data: true, op: nop, want: true},
		{name: "in it", rel: 0x1004, interrupted: true, data: true, op: nop},
		{name: "at a call", rel: 0x1004, data: true, op: nop, want: true},
		{name: "before a return", rel: 0x1010, interrupted: true, data: true, op: ret},
		{name: "before a return that takes arguments off", rel: 0x1010, interrupted: true, data: true, op: retN},
		{name: "a call is before no return", rel: 0x1010, data: true, op: ret, want: true},
		{name: "without frame data, at a call", rel: 0x1010, op: nop, want: true},
		{name: "without frame data, anywhere", rel: 0x1010, interrupted: true, op: nop},
	} {
		p := functionScene(t, machineX86, func(s scene) { s.add(symBPRel, asm.At(0).U32(8, 0x74).Text("v\x00")) })
		p.text = []string{byFrame}
		if tt.data {
			p.optional = map[int][]byte{optFrameData: asm.At(0).U32(0x1000, 0x100, 0, 28, 0, p.nameAt(byFrame)).U16(5, 0).U32(0).Build(t)}
		}
		f := openBytes(t, p.build(t))
		code := 0x7000_0000 + tt.rel
		frame := frameAt(f, tt.rel, captured{code &^ 7: tt.op << (8 * (code & 7))})
		frame.Interrupted = tt.interrupted
		if got := placedIn(t, f, frame); strings.HasSuffix(got, "= @8008") != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// TestFrameRecord reads S_FRAMEPROC, and one that is cut off.
//
// Source: FRAMEPROCSYM of cvinfo.h: cbFrame, cbPad, offPad, cbSaveRegs, offExHdlr, sectExHdlr, flags.
func TestFrameRecord(t *testing.T) {
	whole := asm.At(0).U32(0x38, 1, 2, 0x10, 3).U16(4).U32(2<<14 | 1<<16 | 0xfff<<18 | 0x3fff).Build(t)
	for _, tt := range []struct {
		machine         uint16
		locals, argumts string
	}{{machineAMD64, "rbp", "rsp"}, {machineX86, "ebp", "$T0"}, {machineARM64, "fp", "sp"}, {machineARM, "", ""}} {
		p := procFrame{machine: tt.machine}
		if err := p.readFrame(record{kind: symFrameProc, data: whole}); err != nil || !p.said || p.size != 0x48 {
			t.Errorf("%+v, %v", p, err)
		}
		if p.base(false) != tt.locals || p.base(true) != tt.argumts {
			t.Errorf("%#x: locals count from %q, arguments from %q, want %q and %q", tt.machine, p.base(false), p.base(true), tt.locals, tt.argumts)
		}
	}
	for n := range whole {
		p := procFrame{}
		if err := p.readFrame(record{kind: symFrameProc, data: whole[:n]}); err == nil || p.said {
			t.Errorf("%d of %d bytes: %+v, %v", n, len(whole), p, err)
		}
	}
}
