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
		{name: "call rel32", arch: &cpu.AMD64, code: "90 90 90 e8 f0 00 00 00", want: yes, to: image + 0x200},
		{name: "call rel32 backwards", arch: &cpu.AMD64, code: "90 90 90 e8 f0 fe ff ff", want: yes, to: image},
		{name: "call rax", arch: &cpu.AMD64, code: "90 90 90 90 90 90 ff d0", want: yes, to: 0},
		{name: "both ways to read it", arch: &cpu.AMD64, code: "90 90 90 e8 00 00 ff d0", want: yes, to: 0},
		{name: "a jump", arch: &cpu.AMD64, code: "90 90 90 e9 f0 00 00 00", want: no, to: 0},
		{name: "too little code", arch: &cpu.AMD64, code: "e8 f0 00 00 00", want: unknown, to: 0},
		{name: "x86 wraps", arch: &cpu.X86, code: "90 90 90 e8 f0 fe ff bf", want: yes, to: 0},

		{name: "bl", arch: &cpu.ARM64, code: "9400003d", want: yes, to: image + 0x200},
		{name: "blr x8", arch: &cpu.ARM64, code: "d63f0100", want: yes, to: 0},
		{name: "b", arch: &cpu.ARM64, code: "1400003d", want: no, to: 0},
		{name: "no code", arch: &cpu.ARM64, code: "", want: unknown, to: 0},

		{name: "blx r3 of Thumb", arch: &cpu.ARM, thumb: true, code: "bf00 4798", want: yes, to: 0},
		{name: "bl of Thumb", arch: &cpu.ARM, thumb: true, code: "f000 f878", want: yes, to: image + 0x200},
		{name: "the end of another instruction", arch: &cpu.ARM, thumb: true, code: "bf00 bf00", want: no, to: 0},
		{name: "bl of ARM", arch: &cpu.ARM, code: "eb00003b", want: yes, to: image + 0x200},
		{name: "bx r3, behind a move of pc to lr", arch: &cpu.ARM, code: "e12fff13", want: yes, to: 0},

		{name: "c.jalr", arch: &cpu.RISCV64, code: "0001 9782", want: yes, to: 0},
		{name: "jal ra", arch: &cpu.RISCV64, code: "0f4000ef", want: yes, to: image + 0x200},
		{name: "c.jr", arch: &cpu.RISCV64, code: "0001 8782", want: no, to: 0},

		{name: "jalr t9 and its slot", arch: &cpu.MIPS, code: "0320f809 00000000", want: yes, to: 0},
		{name: "a call in the slot's place", arch: &cpu.MIPS, code: "00000000 0320f809", want: no, to: 0},
		{name: "bctrl", arch: &cpu.PPC, code: "4e800421", want: yes, to: 0},
		{name: "bctr", arch: &cpu.PPC, code: "4e800420", want: no, to: 0},
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

// A call of x86 through memory is one by its opcode, where a loader changes the address and the file's bytes are left out.
func TestCallThroughRelocated(t *testing.T) {
	const at = image + 0x110
	for _, tt := range []struct {
		name, code string
		arch       *cpu.Arch
		want       answer
	}{
		{"an unknown operand", "90 90 ff 15", &cpu.X86, yes},
		{"another instruction", "90 90 8b 05", &cpu.X86, unknown},
		{"amd64, whose operand is relative", "90 90 ff 15", &cpu.AMD64, unknown},
	} {
		code := listing(at-8, tt.code)
		w := newWalk(picture{arch: tt.arch, os: "windows", symbols: arm64Names, code: code}.input(t))
		if _, got := w.callBefore(at); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
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
		{name: "to itself", code: "d503201f", to: 0x100, want: true},
		{name: "to the next", code: "d503201f d503201f", to: 0x104, want: true},
		{name: "into an instruction", code: "d503201f d503201f", to: 0x106, want: true}, // addresses are aligned first
		{name: "past a call", code: "d63f0100 d503201f", to: 0x104, want: true},
		{name: "past a return", code: "d65f03c0 d503201f", to: 0x104},
		{name: "past a jump through a register", code: "d61f0100 d503201f", to: 0x104},
		{name: "along a jump", code: "14000003 d503201f d503201f d503201f", to: 0x10c, want: true},
		{name: "past a jump", code: "14000003 d503201f d503201f d503201f", to: 0x104},
		{name: "along a branch", code: "b4000060 d65f03c0 d503201f d503201f", to: 0x10c, want: true},
		{name: "past a branch", code: "b4000060 d503201f d65f03c0 d65f03c0", to: 0x104, want: true},
		{name: "into a call", code: "94000002 d65f03c0 d503201f", to: 0x108},
		{name: "backwards", code: "d503201f 17ffffff d503201f", to: 0x108}, // a loop without an end
		{name: "behind the code", code: "d503201f", to: 0x180},
		{name: "as far as it is followed", code: nops, to: 0x100 + 4*(maxFlow-3), want: true},
		{name: "in front of it", code: "d503201f", to: 0xfc},
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
