package crash

import (
	"testing"

	"crashglass/core/cpu"
)

// Traps are explained, and a legal instruction is never unknown.
func TestTraps(t *testing.T) {
	arm := func(code string) *scene {
		s := crashAt(t, code)
		s.Arch, s.Regs = &cpu.ARM64, &cpu.Regs{}
		return s.reg(cpu.A64PC, codeAddr).reg(cpu.A64SP, stackLow+0x1000)
	}
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"ud2", "Compiler trap", crashAt(t, "0f 0b").raise("linux", sigILL, 2)},
		{"ud2 on Windows", "Compiler trap", crashAt(t, "0f 0b").raise("windows", illegalInstruction, 0)},
		{"ud2 on macOS", "Compiler trap", crashAt(t, "0f 0b").raise("mac", excBadInstruction, 1)},
		{"ud1 of UBSan", "Undefined behaviour trapped: index out of bounds", crashAt(t, "67 0f b9 40 12").raise("linux", sigILL, 2)},
		{"brk of UBSan", "Undefined behaviour trapped: integer addition overflowed", arm("00 a0 2a d4").raise("linux", sigTRAP, 1)},
		{"brk 1", "Compiler trap", arm("20 00 20 d4").raise("mac", excBreakpoint, 1)},
		{"__debugbreak", "Deliberate breakpoint", arm("00 00 3e d4").raise("windows", breakpoint, 0)},
		{"pointer authentication", "Pointer authentication failed", arm("40 8e 38 d4").raise("mac", excBreakpoint, 1)},
		{"int3", "Breakpoint", crashAt(t, "cc").raise("windows", breakpoint, 0)},
		{"no code", "Illegal instruction or compiler trap", crashAt(t, "").raise("linux", sigILL, 2)},
		{"no code at a breakpoint", "Breakpoint or trap instruction", crashAt(t, "").raise("linux", sigTRAP, 1)},
		{"bytes that are no instruction", "Illegal instruction", crashAt(t, "ff ff").raise("linux", sigILL, 2)},
		{"a CPU that is not decoded", "Illegal instruction or compiler trap", func() *scene {
			s := crashAt(t, "00 00 00 0d").raise("linux", sigILL, 2)
			s.Arch, s.Regs = &cpu.MIPS, &cpu.Regs{}
			return s.reg(cpu.MIPS.PC, codeAddr)
		}()},
		{"privileged", "Privileged instruction", crashAt(t, "f4").raise("windows", illegalInstruction, 0)},
		{"an extension", "Instruction refused by the CPU", crashAt(t, "c5 f9 ef c0").raise("linux", sigILL, 2)},
	}
	for _, tt := range tests {
		if v := Verdict(tt.s.Input, Analyze(tt.s.Input)); v.What != tt.want {
			t.Errorf("%s: %s, want %s (%s)", tt.name, v.What, tt.want, Analyze(tt.s.Input).Instruction)
		}
		said(t, tt.s)
	}
}
