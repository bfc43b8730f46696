package unwind

import (
	"testing"

	"crashglass/core/cpu"
	"crashglass/core/module"
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
	onStack := func(addr uint64) SavedVector { return SavedVector{8, true, addr} }
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
			stack[i] = Frame{Module: &m, Instruction: 0x1010 + uint64(i)<<8, FoundBy: ByCFI, interrupted: i == 0}
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
