package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/postfix"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// A vectorSource has rules by functions of 0x100 bytes.
type vectorSource struct {
	oneRule
	frames map[uint64]CallFrame
}

func (s vectorSource) CallFrame(rel uint64) (CallFrame, bool) {
	f, ok := s.frames[rel&^0xff]
	return f, ok
}

// TestVector has four frames of arm64: 0x000 was interrupted, and was called by
// 0x100, that by 0x200, that by 0x300.
func TestVector(t *testing.T) {
	dwarf := func(signal bool, rules ...Rule) CallFrame {
		return CallFrame{Rules: append([]Rule{{CFA, At("sp", 64)}}, rules...), Signal: signal, From: ".eh_frame"}
	}
	plain := dwarf(false)
	saves := dwarf(false, Rule{"v8", Word(CFA, -16)})
	here, none := SavedVector{Size: 8}, SavedVector{}
	onStack := func(addr uint64) SavedVector { return SavedVector{Size: 8, InMemory: true, Addr: addr} }
	for _, test := range []struct {
		name         string
		first, third CallFrame
		reg          string
		frame        int
		want         SavedVector
	}{
		{"of the innermost frame", plain, plain, "v8", 0, here},
		{"nothing touched it", plain, plain, "$v8", 3, here},
		{"saved by the innermost", saves, plain, "v8", 3, onStack(0x8030)},
		{"saved on the way", plain, saves, "v8", 3, onStack(0x8230)},
		{"saved by a caller", plain, saves, "v8", 2, here},
		{"another one was saved", saves, plain, "v9", 1, here},
		{"one that calls do not keep", plain, plain, "v7", 1, none},
		{"not in the caller", dwarf(false, Rule{"v8", Value{}}), plain, "v8", 1, none},
		{"in another register", dwarf(false, Rule{"v8", At("x9", 0)}), plain, "v8", 1, none},
		{"said to be as it was", dwarf(false, Rule{"v8", At("v8", 0)}), plain, "v8", 1, here},
		{"below a signal", dwarf(true), plain, "v8", 1, none},
		{"by a symbol file", CallFrame{Rules: plain.Rules}, plain, "v8", 1, none},
	} {
		source := vectorSource{frames: map[uint64]CallFrame{0: test.first, 0x100: plain, 0x200: test.third, 0x300: plain}}
		m := module.Module{Base: 0x1000, Size: 0x1000}
		stack := make([]Frame, 4)
		for i := range stack {
			stack[i] = Frame{Frame: process.Frame{Module: &m, Instruction: 0x1010 + uint64(i)<<8, Interrupted: i == 0}, FoundBy: ByCFI}
			stack[i].Regs.Set(cpu.ARM64.SP, 0x8000+uint64(i)<<8)
		}
		in := Input{Arch: &cpu.ARM64, Rules: func(*module.Module) Rules { return source }}
		got, ok := in.Vector(stack, test.frame, test.reg)
		if ok != (test.want != none) || ok && got != test.want {
			t.Errorf("%s: %+v, %t; want %+v", test.name, got, ok, test.want)
		}
		stack[1].FoundBy, stack[1].Guess, stack[2].Guess, stack[3].Guess = ByScan, true, true, true
		if _, ok := in.Vector(stack, 3, "v8"); ok {
			t.Errorf("%s: found behind a frame that was scanned for", test.name)
		}
	}
}

// Where nothing proves what a register of a caller had, nothing is said: without a
// stack or a CPU, of names that are no such register, and by rules that do not say
// it for all of a function or for vectors.
func TestVectorUnknown(t *testing.T) {
	m := module.Module{Base: 0x1000, Size: 0x1000}
	stack := func() []Frame {
		list := make([]Frame, 2)
		for i := range list {
			list[i] = Frame{Frame: process.Frame{Module: &m, Instruction: 0x1010 + uint64(i)<<8, Interrupted: i == 0}, FoundBy: ByCFI}
			list[i].Regs.Set(cpu.ARM64.SP, 0x8000+uint64(i)<<8)
		}
		return list
	}
	rules := []Rule{{CFA, At("sp", 64)}, {"v9", Word(CFA, -16)}, {"v10", At("v10", 8)}, {"v11", Value{Expr: postfix.Compile("$x0 8 +")}}}
	good := CallFrame{Rules: rules, From: ".debug_frame"}
	for _, tt := range []struct {
		name  string
		arch  *cpu.Arch
		stack []Frame
		frame CallFrame
		i     int
		reg   string
		ok    bool
	}{
		{name: "proved", arch: &cpu.ARM64, stack: stack(), frame: good, i: 1, reg: "v8", ok: true},
		{name: "saved", arch: &cpu.ARM64, stack: stack(), frame: good, i: 1, reg: "v9", ok: true},
		{name: "no CPU", stack: stack(), frame: good, i: 1, reg: "v8"},
		{name: "no frames", arch: &cpu.ARM64, frame: good, i: 0, reg: "v8"},
		{name: "no such frame", arch: &cpu.ARM64, stack: stack(), frame: good, i: 2, reg: "v8"},
		{name: "not from its registers", arch: &cpu.ARM64, stack: stack()[1:], frame: good, i: 0, reg: "v8"},
		{name: "another name", arch: &cpu.ARM64, stack: stack(), frame: good, i: 0, reg: "x8"},
		{name: "no number", arch: &cpu.ARM64, stack: stack(), frame: good, i: 0, reg: "v"},
		{name: "more than a number", arch: &cpu.ARM64, stack: stack(), frame: good, i: 0, reg: "v8x"},
		{name: "one too far", arch: &cpu.ARM64, stack: stack(), frame: good, i: 0, reg: "v16"},
		{name: "moved", arch: &cpu.ARM64, stack: stack(), frame: good, i: 1, reg: "v10"},
		{name: "an expression", arch: &cpu.ARM64, stack: stack(), frame: good, i: 1, reg: "v11"},
		{name: "rules that hold at calls", arch: &cpu.ARM64, stack: stack(), frame: CallFrame{Rules: rules, From: ".eh_frame", AtCalls: true}, i: 1, reg: "v8"},
		{name: "saved, without a CFA", arch: &cpu.ARM64, stack: stack(), frame: CallFrame{Rules: rules[1:], From: ".eh_frame"}, i: 1, reg: "v9"},
	} {
		source := vectorSource{frames: map[uint64]CallFrame{0: tt.frame, 0x100: good}}
		in := Input{Arch: tt.arch, Rules: func(*module.Module) Rules { return source }}
		if got, ok := in.Vector(tt.stack, tt.i, tt.reg); ok != tt.ok {
			t.Errorf("%s: %+v, %t", tt.name, got, ok)
		}
	}
	in := Input{Arch: &cpu.ARM64, Rules: func(*module.Module) Rules { return nil }}
	if got, ok := in.Vector(stack(), 1, "v8"); ok {
		t.Errorf("without rules: %+v", got)
	}
}
