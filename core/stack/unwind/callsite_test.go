package unwind

import (
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/testkit/asm"
)

// TestFirstByteOfAFunction has the address of a function on the stack, as a
// program leaves many, and above it a return address. The function's first byte
// is one only behind a call, as far as the code is captured.
func TestFirstByteOfAFunction(t *testing.T) {
	const top = 0x1000
	call := []byte{0x90, 0x90, 0x90, 0xe8, 0, 1, 0, 0}
	nops := []byte{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}
	code := func(at uint64, bytes []byte) *asm.Section { return asm.At(image + at - 8).Bytes(bytes) }
	names := symbols{functions: []Function{fn(0x100, "f"), fn(0x200, "g"), fn(0x300, "h")}}
	frames := symbols{nameless: true, frames: []CallFrame{cfi(0x300, ".cfa: $rsp .ra: 0")}}
	const skipped, taken = "0x4000020f scan", "0x400002ff scan"
	tests := []struct {
		name    string
		symbols symbols
		code    *asm.Section
		want    string
	}{
		{"behind no call", names, code(0x300, nops), skipped},
		{"behind a call that does not return", names, code(0x300, call), taken},
		{"the code is not captured", names, nil, taken},
		{"rules begin there, behind no call", frames, code(0x300, nops), skipped},
		{"rules begin there, behind a call", frames, code(0x300, call), taken},
		{"no names, and the code is not captured", frames, nil, taken},
		{"a signal's trampoline", symbols{functions: []Function{fn(0x100, "f"), fn(0x200, "g"), fn(0x300, "__restore_rt")}},
			code(0x300, nops), "0x40000300 scan"},
	}
	for _, tt := range tests {
		in := picture{
			arch: &cpu.AMD64, os: "linux", symbols: tt.symbols, code: tt.code,
			regs:  map[string]uint64{"rip": image + 0x110, "rsp": top, "rbp": 1},
			stack: asm.At(top).U64(7, image+0x300, 8, image+0x210, 0),
		}.input(t)
		in.Frames = 2
		stack := Walk(in)
		if len(stack.Frames) < 2 {
			t.Errorf("%s: no caller: %s", tt.name, endText(stack.End))
		} else if got := hexTrust(stack.Frames[1]); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// An imaged is symbols of a module whose own file is at hand.
type imaged struct{ symbols }

func (imaged) HasCode() bool { return true }

// TestDataOfAModule has addresses in a module without names: an address that is not in its file is
// no code, if the file is available.
func TestDataOfAModule(t *testing.T) {
	p := picture{
		arch: &cpu.AMD64, os: "linux", stack: asm.At(0x1000).Zeros(16),
		code: asm.At(image + 0x2f8).Bytes([]byte{0x90, 0x90, 0x90, 0xe8, 0, 1, 0, 0}).Zeros(8),
	}
	for _, tt := range []struct {
		rules Rules
		at    uint64
		want  bool
	}{
		{rules: imaged{symbols{nameless: true}}, at: 0x300, want: true},
		{rules: imaged{symbols{nameless: true}}, at: 0x9000},
		{rules: symbols{nameless: true}, at: 0x9000, want: true},
	} {
		in := p.input(t)
		in.Rules = func(*module.Module) Rules { return tt.rules }
		if got := newWalk(in).plausible(image + tt.at); got != tt.want {
			t.Errorf("%T, %#x: %v", tt.rules, tt.at, got)
		}
	}
}

// TestNotExecutable: a word on the stack is no return address if its target is known not to be
// executable. An unknown target stays a candidate.
func TestNotExecutable(t *testing.T) {
	for _, tt := range []struct {
		executable, known bool
		want              string
	}{
		{executable: true, known: true, want: "0x4000030f scan"},
		{known: true, want: "0x4000020f scan"},
		{want: "0x4000030f scan"},
	} {
		in := picture{
			arch: &cpu.AMD64, os: "linux", symbols: arm64Names,
			regs:  map[string]uint64{"rip": image + 0x110, "rsp": 0x1000, "rbp": 1},
			stack: asm.At(0x1000).U64(7, image+0x310, image+0x210, 0),
		}.input(t)
		in.Frames = 2
		in.Executable = func(addr uint64) (executable, known bool) {
			return tt.executable || addr < image+0x300, tt.known
		}
		if stack := Walk(in); len(stack.Frames) < 2 || hexTrust(stack.Frames[1]) != tt.want {
			t.Errorf("%+v: %+v", tt, stack)
		}
	}
}

// TestFirstInstructionOfAFunction is the same for a CPU whose calls are words.
func TestFirstInstructionOfAFunction(t *testing.T) {
	for insn, want := range map[uint32]bool{
		0x9400_0010: true, 0x97ff_fff0: true, 0xd63f_0100: true, 0xd73f_0901: true, // bl, bl, blr x8, blraa x8, x1
		0xd503_201f: false, 0x1400_0010: false, 0xd61f_0100: false, 0xd65f_03c0: false, // nop, b, br x8, ret
	} {
		p := picture{
			arch: &cpu.ARM64, os: "linux", code: asm.At(image+0x2fc).U32(insn, 0xd503_201f),
			stack:   asm.At(0x1000).Zeros(16),
			symbols: symbols{functions: []Function{fn(0x200, "g"), fn(0x300, "h")}},
		}
		w := newWalk(p.input(t))
		if got := w.plausible(image + 0x300); got != want {
			t.Errorf("%#x: %v", insn, got)
		}
		if !w.plausible(image + 0x304) {
			t.Errorf("%#x: an address inside the function is refused", insn)
		}
	}
}
