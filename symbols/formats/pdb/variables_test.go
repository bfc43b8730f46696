package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/values"
	"crashglass/core/values/variables"
)

// Numbers of registers in records.
const (
	cvECX = 18
	cvEBP = 22
	cvRCX = 330
	cvRBX = 329
	cvRSP = 335
)

// variableTypes are the types of the programs here, in the order of their numbers.
func variableTypes(t testing.TB) [][]byte {
	return [][]byte{
		rec(t, 0x1201, asm.At(0).U32(2, 0x74, 0x1003)),                                      // 1000 (int, P)
		rec(t, 0x1008, asm.At(0).U32(0x74).U8(0, 0).U16(2).U32(0x1000)),                     // 1001 int (int, P)
		fields(t, member(0x74, 0, "x"), member(0x1004, 8, "next"), member(0x76, 16, "big")), // 1002
		rec(t, 0x1505, asm.At(0).U16(3, 0).U32(0x1002, 0, 0).U16(24).Text("P\x00")),         // 1003 struct P
		rec(t, 0x1002, asm.At(0).U32(0x1003, 0x1000c)),                                      // 1004 P*
		fields(t, member(0x74, 0, "a"), member(0x74, 4, "b"), member(0x74, 8, "c")),         // 1005
		rec(t, 0x1505, asm.At(0).U16(3, 0).U32(0x1005, 0, 0).U16(12).Text("Q\x00")),         // 1006 struct Q
		rec(t, 0x1601, asm.At(0).U32(0, 0x1001).Text("inner\x00")),                          // 1007, as an id: inner
		rec(t, 0x1002, asm.At(0).U32(0x1003, 24<<13|0xc|1<<5)),                              // 1008 P&, with LLVM's size of it
		rec(t, 0x1503, asm.At(0).U32(0x74, 0x23).U16(12).U8(0)),                             // 1009 int[3]
		rec(t, 0x1203, asm.At(0)),                                                           // 100a
	}
}

// fields is LF_FIELDLIST.
func fields(t testing.TB, list ...*asm.Section) []byte {
	s := asm.At(0)
	for _, f := range list {
		s.Bytes(f.Build(t))
		for n := len(s.Build(t)); n%4 != 0; n++ {
			s.U8(uint8(0xf4 - n%4)) // LF_PAD
		}
	}
	return rec(t, 0x1203, s)
}

// member is LF_MEMBER.
func member(typ uint32, off uint16, name string) *asm.Section {
	return asm.At(0).U16(0x150d, 3).U32(typ).U16(off).Text(name).U8(0)
}

// A scene is a function at 0x1000 with records inside.
type scene struct {
	*asm.Section
	t testing.TB
}

func (s scene) add(kind uint16, body *asm.Section) scene {
	s.Bytes(rec(s.t, kind, body))
	return s
}

// frameProc says that the frame has size bytes, and what locals and arguments count from.
func (s scene) frameProc(size, local, param uint32) scene {
	return s.add(symFrameProc, asm.At(0).U32(size, 0, 0, 0, 0).U16(0).U32(local<<14|param<<16))
}

// local is S_LOCAL.
func (s scene) local(typ uint32, flags uint16, name string) scene {
	return s.add(symLocal, asm.At(0).U32(typ).U16(flags).Text(name).U8(0))
}

// ranged is an S_DEFRANGE record that holds at offsets from to to of the function.
func (s scene) ranged(kind uint16, head *asm.Section, from, to uint32, gaps ...uint16) scene {
	return s.add(kind, head.U32(from).U16(1, uint16(to-from)).U16(gaps...))
}

func (s scene) regRel(off, typ uint32, reg uint16, name string) scene {
	return s.add(symRegRel, asm.At(0).U32(off, typ).U16(reg).Text(name).U8(0))
}

// functionScene is a program of one function of 0x100 bytes with such records.
func functionScene(t testing.TB, machine uint16, body func(scene)) *program {
	p := &program{
		machine:  machine,
		sections: [][3]uint32{{0x1000, 0x400, codeFlags}, {0x2000, 0x100, dataFlags}},
		types:    variableTypes(t),
		ids:      [][]byte{rec(t, 0x1601, asm.At(0).U32(0, 0x1001).Text("inner\x00"))},
	}
	s := scene{symbolRecords(), t}
	s.add(symCompile3, asm.At(0).U32(1).U16(0xd0).Zeros(16).Text("test\x00"))
	addProc(t, s.Section, "f", 0x1001, 1, 0, 0x100)
	body(s)
	addEnd(t, s.Section, 6)
	lines := sub(t, 0xf6, asm.At(0).U32(0, 0x1000, 0, 5))
	p.modules = []object{{"a.obj", s.Section, asm.At(0).Bytes(lines), [][3]uint32{{1, 0, 0x100}}}}
	return p
}

type captured = values.Captured

// frameAt is a frame of the program, whose module is loaded at 0x7000_0000. Its
// function made a call; it has 0x40 bytes of stack, whose end is the CFA.
func frameAt(f *File, rel uint64, m captured) *variables.Context {
	at := &process.Frame{Module: &module.Module{Base: 0x7000_0000}, Instruction: 0x7000_0000 + rel, ReturnAddress: 0x7000_0001 + rel}
	regs := &at.Regs
	out := &variables.Context{
		Frame: at, Arch: &cpu.AMD64, Windows: true, Memory: m, Symbols: variables.Symbols{Scopes: f, Statics: f, Languages: f},
		CFA: func() (uint64, bool) { return 0x8040, true }, CFABase: func() string { return "$rsp" },
	}
	regs.Set(cpu.RSP, 0x8000)
	regs.Set(cpu.RBX, 0x2a_0000_0007)
	regs.Set(cpu.RCX, 0x8020)
	if f.dbi.machine == machineX86 {
		*regs = cpu.Regs{}
		regs.Set(cpu.EBP, 0x8000)
		out.Arch, out.CFA = &cpu.X86, nil
		out.VFrame = func() (uint64, bool) { return 0x8038, true }
	}
	return out
}

func TestPlaces(t *testing.T) {
	stack := captured{0x8000: 0x1_0000_0001, 0x8008: 0x2_0000_0002, 0x8010: 3, 0x8018: 0x8020, 0x8020: 0x44, 0x8028: 0, 0x8030: 0x66, 0x8038: 0x77, 0x8040: 0x8020, 0x7000_2010: 99}
	tests := []struct {
		name    string
		machine uint16
		rel     uint64
		body    func(scene)
		want    string
	}{
		{"S_REGREL32, arguments by the function's type", machineAMD64, 0x1010,
			func(s scene) {
				s.frameProc(0x38, 1, 1).regRel(4, 0x74, cvRSP, "n").regRel(0x10, 0x1003, cvRSP, "p").regRel(8, 0x74, cvRSP, "i")
			},
			"f: (n) = 1, (p) {x = 3} {next = 0x0000000000008020} {big = 68}, i = 2"},
		{"S_DEFRANGE_REGISTER", machineAMD64, 0x1010,
			func(s scene) { s.local(0x74, 1, "n").ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 8, 0x20) }, "f: (n) = 7"},
		{"in a gap of its range", machineAMD64, 0x1010,
			func(s scene) { s.local(0x74, 1, "n").ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 8, 0x20, 8, 1) }, "f: (n) <optimized_out>"},
		{"behind a gap", machineAMD64, 0x1011,
			func(s scene) { s.local(0x74, 1, "n").ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 8, 0x20, 8, 1) }, "f: (n) = 7"},
		{"behind its range", machineAMD64, 0x1020,
			func(s scene) { s.local(0x74, 1, "n").ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 8, 0x20) }, "f: (n) <optimized_out>"},
		{"a register that is another's on some paths", machineAMD64, 0x1010,
			func(s scene) { s.local(0x74, 0, "n").ranged(symRangeReg, asm.At(0).U16(cvRBX, 1), 8, 0x20) }, "f: n <unreadable>"},
		{"certain before uncertain", machineAMD64, 0x1010,
			func(s scene) {
				s.local(0x74, 0, "n").ranged(symRangeReg, asm.At(0).U16(cvRCX, 1), 8, 0x20).ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 8, 0x20)
			}, "f: n = 7"},
		{"optimized away", machineAMD64, 0x1010, func(s scene) { s.local(0x74, localOptimized, "n") }, "f: n <optimized_out>"},
		{"the compiler's own", machineAMD64, 0x1010, func(s scene) { s.local(0x74, localGenerated, "tmp").local(0x74, localGenerated|localOptimized, "this") },
			"f: this <optimized_out>"},
		{"S_DEFRANGE_FRAMEPOINTER_REL, locals from rsp", machineAMD64, 0x1010,
			func(s scene) {
				s.frameProc(0x38, 1, 2).local(0x74, 0, "n").ranged(symRangeFrame, asm.At(0).U32(0x30), 8, 0x20)
			}, "f: n = 102"},
		{"S_DEFRANGE_FRAMEPOINTER_REL_FULL_SCOPE", machineAMD64, 0x10f0,
			func(s scene) { s.frameProc(0x38, 1, 1).local(0x74, 0, "n").add(symRangeAllFrame, asm.At(0).U32(0x38)) }, "f: n = 119"},
		{"no S_FRAMEPROC", machineAMD64, 0x1010,
			func(s scene) { s.local(0x74, 0, "n").add(symRangeAllFrame, asm.At(0).U32(0x38)) }, "f: n <unreadable>"},
		{"in the prologue, by the size of the frame", machineAMD64, 0x1010,
			func(s scene) { s.frameProc(0x48, 1, 1).local(0x74, 0, "n").add(symRangeAllFrame, asm.At(0).U32(0x38)) }, "f: n <unreadable>"},
		{"S_DEFRANGE_REGISTER_REL", machineAMD64, 0x1010,
			func(s scene) {
				s.local(0x74, 0, "n").ranged(symRangeRegRel, asm.At(0).U16(cvRCX, 0).U32(0x10), 8, 0x20)
			}, "f: n = 102"},
		{"S_DEFRANGE_REGISTER_REL_INDIR", machineAMD64, 0x1010,
			func(s scene) {
				s.local(0x74, 0, "n").ranged(symRangeIndirect, asm.At(0).U16(cvRCX, 0).U32(0xfffffff8, 0x18), 8, 0x20)
			}, "f: n = 119"},
		{"S_DEFRANGE_SUBFIELD_REGISTER: of a part only the member at its beginning is certain", machineAMD64, 0x1010,
			func(s scene) {
				s.local(0x1006, 0, "q").ranged(symRangePartReg, asm.At(0).U16(cvRBX, 0).U32(0), 8, 0x20)
			}, "f: q {a = 7} {b <optimized_out>} {c <optimized_out>}"},
		{"parts in a register and in memory", machineAMD64, 0x1010,
			func(s scene) {
				s.local(0x1006, 0, "q").ranged(symRangeRegRel, asm.At(0).U16(cvRCX, 8<<4|1).U32(0x18), 8, 0x20).ranged(symRangePartReg, asm.At(0).U16(360+0, 0).U32(0), 8, 0x20)
			}, "f: q {a <optimized_out>} {b <optimized_out>} {c = 119}"},
		{"S_DEFRANGE_SUBFIELD", machineAMD64, 0x1010,
			func(s scene) { s.local(0x1006, 0, "q").ranged(symRangePart, asm.At(0).U32(1, 0), 8, 0x20) }, "f: q <unreadable>"},
		{"S_REGISTER", machineAMD64, 0x1010, func(s scene) { s.add(symRegister, asm.At(0).U32(0x74).U16(cvRBX).Text("r\x00")) }, "f: (r) = 7"},
		{"S_CONSTANT", machineAMD64, 0x1010, func(s scene) { s.add(symConstant, asm.At(0).U32(0x74).U16(0x8001, 0xfffe).Text("k\x00")) }, "f: k = -2"},
		{"S_LDATA32, with LLVM's name of the function", machineAMD64, 0x1010,
			func(s scene) { s.add(symLocalData, asm.At(0).U32(0x74, 0x10).U16(2).Text("f::kept\x00")) }, "f: kept = 99"},
		{"S_LTHREAD32", machineAMD64, 0x1010, func(s scene) { s.add(symLocalTLS, asm.At(0).U32(0x74, 0x10).U16(2).Text("tls\x00")) }, "f: tls <unreadable>"},
		{"S_MANYREG", machineAMD64, 0x1010, func(s scene) { s.add(symManyReg, asm.At(0).U32(0x76).U8(2, 1, 2).Text("two\x00")) }, "f: two <unreadable>"},
		{"an argument that x64 passes as a pointer", machineAMD64, 0x1010,
			func(s scene) {
				s.frameProc(0x38, 1, 1).local(0x1006, 1, "q").ranged(symRangeFrame, asm.At(0).U32(0x40), 8, 0x20)
			}, "f: (q) {a = 68} {b = 0} {c = 0}"},
		{"LLVM's reference to an argument", machineAMD64, 0x1010,
			func(s scene) {
				s.frameProc(0x38, 1, 1).local(0x1008, 1, "p").ranged(symRangeFrame, asm.At(0).U32(0x18), 8, 0x20)
			},
			"f: (p) = 0x0000000000008020 {x = 68} {next = nullptr} {big = 102}"},
		{"S_BPREL32", machineX86, 0x1010, func(s scene) { s.add(symBPRel, asm.At(0).U32(8, 0x74).Text("n\x00")) }, "f: (n) = 2"},
		{"the virtual frame of x86", machineX86, 0x1010,
			func(s scene) {
				s.frameProc(0x38, 1, 1).local(0x74, 0, "n").ranged(symRangeFrame, asm.At(0).U32(0xfffffff8), 8, 0x20)
			}, "f: n = 102"},
		{"a register of 32 bits", machineX86, 0x1010, func(s scene) { s.local(0x74, 0, "n").ranged(symRangeReg, asm.At(0).U16(cvEBP, 0), 8, 0x20) }, "f: n = 32768"},
		{"a register that calls overwrite", machineX86, 0x1010,
			func(s scene) { s.local(0x74, 0, "n").ranged(symRangeReg, asm.At(0).U16(cvECX, 0), 8, 0x20) }, "f: n <optimized_out>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := openBytes(t, functionScene(t, tt.machine, tt.body).build(t))
			if got := strings.Replace(values.Shown(frameAt(f, tt.rel, stack)), "f(int, P): ", "f: ", 1); got != tt.want || len(f.Notes()) > 0 {
				t.Errorf("got  %s\nwant %s (%v)", got, tt.want, f.Notes())
			}
		})
	}
}

// TestVariableScopes has blocks and an inlined call with variables of their own.
func TestVariableScopes(t *testing.T) {
	in := func(s scene, name string) {
		s.local(0x74, 0, name).ranged(symRangeReg, asm.At(0).U16(cvRBX, 0), 0, 0x100)
	}
	p := functionScene(t, machineAMD64, func(s scene) {
		in(s, "outer")
		s.add(symBlock, asm.At(0).U32(0, 0, 0x40, 0x10).U16(1).U8(0))
		in(s, "block")
		addInline(t, s.Section, 0x1000, 3, 0x10, 4, 0x10) // code from 0x10 on, 0x10 bytes
		in(s, "called")
		addEnd(t, s.Section, 0x114e)
		in(s, "behind")
		addEnd(t, s.Section, 6)
		s.add(symBlock, asm.At(0).U32(0, 0, 0x40, 0x80).U16(1).U8(0))
		in(s, "outer")
		addEnd(t, s.Section, 6)
	})
	lines := linesOf(t, 1, 0, 0x100, 0, 0, 5, 0x10, 7, 0x40, 8, 0x80, 9)
	p.modules[0].c13.Bytes(lines)
	f := openBytes(t, p.build(t))
	for rel, want := range map[uint64]string{
		0x1008: "f(int, P): outer = 7",
		0x1012: "inner(int, P): called = 7 | f(int, P): outer = 7, block@7 = 7, behind@7 = 7",
		0x1028: "f(int, P): outer = 7, block@7 = 7, behind@7 = 7",
		0x1080: "f(int, P): outer hidden = 7, outer@9 = 7",
		0x1200: "",
	} {
		if got := values.Shown(frameAt(f, rel, nil)); got != want {
			t.Errorf("%#x: %s, want %s", rel, got, want)
		}
	}
}

// TestPrologue has places that count from rbp, and a function record that says
// where its body is.
func TestPrologue(t *testing.T) {
	p := functionScene(t, machineAMD64, func(s scene) { s.regRel(0, 0x74, 334, "n") })
	data := p.build(t)
	f := openBytes(t, data)
	for _, tt := range []struct {
		base        string
		interrupted bool
		want        string
	}{
		{base: "$rbp", interrupted: true, want: "(n) = 1"},
		{base: "$rsp", interrupted: true, want: "(n) <unreadable>"},
		{base: "$rsp", want: "(n) <unreadable>"},
	} {
		frame := frameAt(f, 0x1004, captured{0x8000: 1})
		frame.Regs.Set(cpu.RBP, 0x8000)
		frame.Interrupted, frame.CFABase = tt.interrupted, func() string { return tt.base }
		if got := values.Shown(frame); got != "f(int, P): "+tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

// TestEvidence says which record a place is from.
func TestEvidence(t *testing.T) {
	f := openBytes(t, functionScene(t, machineAMD64, func(s scene) {
		s.frameProc(0x38, 1, 1).local(0x74, 0, "n").ranged(symRangeFrame, asm.At(0).U32(0x30), 8, 0x20)
	}).build(t))
	v := variables.Read(frameAt(f, 0x1010, captured{0x8030: 5}), variables.Limits{})[0].Values[0]
	got := fmt.Sprint(v.Evidence.Rule, "; ", v.Evidence.From, "; ", v.Location, "; ", len(v.Evidence.Reads))
	if want := "S_DEFRANGE_FRAMEPOINTER_REL rsp+48; module 0 at 0x94; 0x8030; 1"; !strings.HasSuffix(got, "0x8030; 1") || !strings.HasPrefix(got, want[:34]) {
		t.Errorf("%s, want %s", got, want)
	}
}
