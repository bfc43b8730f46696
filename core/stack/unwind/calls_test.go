package unwind

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// The call in front of a return address: what it is by the last bytes before the address, which is
// always image+0x110. A delay slot lies between the two on MIPS and SPARC.
func TestCallBefore(t *testing.T) {
	for _, tt := range []struct {
		name  string
		arch  *cpu.Arch
		thumb bool
		code  string // ends at the return address
		want  answer
		to    uint64 // the target of a direct call
	}{
		{"call rel32", &cpu.AMD64, false, "90 90 90 e8 f0 00 00 00", yes, image + 0x200},
		{"call rel32 backwards", &cpu.AMD64, false, "90 90 90 e8 f0 fe ff ff", yes, image},
		{"call rax", &cpu.AMD64, false, "90 90 90 90 90 90 ff d0", yes, 0},
		{"both ways to read it", &cpu.AMD64, false, "90 90 90 e8 00 00 ff d0", yes, 0},
		{"a jump", &cpu.AMD64, false, "90 90 90 e9 f0 00 00 00", no, 0},
		{"too little code", &cpu.AMD64, false, "e8 f0 00 00 00", unknown, 0},
		{"x86 wraps", &cpu.X86, false, "90 90 90 e8 f0 fe ff bf", yes, 0},

		{"bl", &cpu.ARM64, false, "9400003d", yes, image + 0x200},
		{"blr x8", &cpu.ARM64, false, "d63f0100", yes, 0},
		{"b", &cpu.ARM64, false, "1400003d", no, 0},
		{"no code", &cpu.ARM64, false, "", unknown, 0},

		{"blx r3 of Thumb", &cpu.ARM, true, "bf00 4798", yes, 0},
		{"bl of Thumb", &cpu.ARM, true, "f000 f878", yes, image + 0x200},
		{"the end of another instruction", &cpu.ARM, true, "bf00 bf00", no, 0},
		{"bl of ARM", &cpu.ARM, false, "eb00003b", yes, image + 0x200},
		{"bx r3, behind a move of pc to lr", &cpu.ARM, false, "e12fff13", yes, 0},

		{"c.jalr", &cpu.RISCV64, false, "0001 9782", yes, 0},
		{"jal ra", &cpu.RISCV64, false, "0f4000ef", yes, image + 0x200},
		{"c.jr", &cpu.RISCV64, false, "0001 8782", no, 0},

		{"jalr t9 and its slot", &cpu.MIPS, false, "0320f809 00000000", yes, 0},
		{"a call in the slot's place", &cpu.MIPS, false, "00000000 0320f809", no, 0},
		{"bctrl", &cpu.PPC, false, "4e800421", yes, 0},
		{"bctr", &cpu.PPC, false, "4e800420", no, 0},
	} {
		code := listing(0, tt.code).Build(t)
		p := picture{arch: tt.arch, os: "linux", symbols: arm64Names}
		if len(code) > 0 {
			p.code = listing(image+0x110-uint64(len(code)), tt.code).Zeros(4)
		}
		w := newWalk(p.input(t))
		ra := uint64(image + 0x110)
		if tt.thumb {
			ra |= 1
		}
		insn, got := w.callBefore(ra)
		if got != tt.want || insn.HasTarget && insn.Target != tt.to && tt.want == yes && tt.to != 0 || got == yes && tt.to != 0 && !insn.HasTarget {
			t.Errorf("%s: %d to %#x, want %d to %#x", tt.name, got, insn.Target, tt.want, tt.to)
		}
		if w.uncalled(ra) != (tt.want == no) {
			t.Errorf("%s: uncalled is %t", tt.name, w.uncalled(ra))
		}
	}
}

// Whether the call in front of a return address called the function of a frame: f at 0x200 of 0x40
// bytes, and the linker symbol g at 0x300, which has no size.
func TestCallsInto(t *testing.T) {
	f := Function{Name: "f", Start: 0x200, Size: 0x40}
	names := symbols{functions: []Function{f, {Name: "g", Start: 0x300, Public: true}}}
	at := func(rel uint64) uint64 { return image + rel }
	for _, tt := range []struct {
		name string
		call string // at 0x10c
		in   uint64 // the frame's instruction
		want answer
	}{
		{"its first instruction", "9400003d  bl 0x200", at(0x210), yes},
		{"within it", "9400003f  bl 0x208", at(0x210), yes},
		{"its last instruction", "9400004c  bl 0x23c", at(0x210), yes},
		{"right behind it", "9400004d  bl 0x240", at(0x210), no},
		{"another function", "9400007d  bl 0x300", at(0x210), no},
		{"a linker symbol", "9400007d  bl 0x300", at(0x304), yes},
		{"behind a linker symbol", "9400007e  bl 0x304", at(0x304), no},
		{"through a register", "d63f0100  blr x8", at(0x210), unknown},
		{"no call", "d503201f  nop", at(0x210), unknown},
	} {
		p := picture{arch: &cpu.ARM64, os: "linux", symbols: names, code: listing(image+0x10c, tt.call)}
		w := newWalk(p.input(t))
		frame := &Frame{Frame: process.Frame{Instruction: tt.in, Module: w.moduleAt(tt.in), Interrupted: true}}
		if got := w.callsInto(frame, image+0x110); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// Code leads from image+0x100 to an address: through instructions, both ways of a branch, and past
// calls, but not past a return, a jump through a register, or the end of the code.
func TestFlows(t *testing.T) {
	nops := strings.Repeat("d503201f ", maxFlow-2)
	for _, tt := range []struct {
		name string
		code string
		to   uint64
		want bool
	}{
		{"to itself", "d503201f", 0x100, true},
		{"to the next", "d503201f d503201f", 0x104, true},
		{"into an instruction", "d503201f d503201f", 0x106, true}, // addresses are aligned first
		{"past a call", "d63f0100 d503201f", 0x104, true},
		{"past a return", "d65f03c0 d503201f", 0x104, false},
		{"past a jump through a register", "d61f0100 d503201f", 0x104, false},
		{"along a jump", "14000003 d503201f d503201f d503201f", 0x10c, true},
		{"past a jump", "14000003 d503201f d503201f d503201f", 0x104, false},
		{"along a branch", "b4000060 d65f03c0 d503201f d503201f", 0x10c, true},
		{"past a branch", "b4000060 d503201f d65f03c0 d65f03c0", 0x104, true},
		{"into a call", "94000002 d65f03c0 d503201f", 0x108, false},
		{"backwards", "d503201f 17ffffff d503201f", 0x108, false}, // a loop without an end
		{"behind the code", "d503201f", 0x180, false},
		{"as far as it is followed", nops, 0x100 + 4*(maxFlow-3), true},
		{"in front of it", "d503201f", 0xfc, false},
	} {
		p := picture{arch: &cpu.ARM64, os: "linux", symbols: arm64Names, code: listing(image+0x100, tt.code)}
		w := newWalk(p.input(t))
		if got := w.flows(w.isa, image+0x100, image+tt.to); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
	p := picture{arch: &cpu.AMD64, os: "linux", symbols: arm64Names, code: listing(image+0x100, "90 90")}
	if w := newWalk(p.input(t)); w.flows(w.isa, image+0x100, image+0x101) || w.flows(nil, 1, 1) {
		t.Error("where instructions begin is not known")
	}
}
