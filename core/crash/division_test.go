package crash

import (
	"strings"
	"testing"

	"crashglass/core/cpu"
)

// x86 has one exception for a divisor of 0 and for a quotient that does not fit.
func TestDivision(t *testing.T) {
	const idiv, divMemory, divByte, divRex = "f7 f9", "f7 30", "f6 f1", "49 f7 f0" // idiv ecx; div dword [rax]; div cl; div r8
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"zero", "Division by zero. An integer was divided by zero. The instruction is `idiv ecx` with 0 in ecx.", crashAt(t, idiv)},
		{"zero, above which other bits are set", "Division by zero. An integer was divided by zero. The instruction is `idiv ecx` with 0 in ecx.", crashAt(t, idiv).reg(cpu.RCX, 1<<32)},
		{"the smallest number by -1", "Division overflow. The quotient is too large for its register; the CPU reports it like a division by zero. The instruction is `idiv ecx` with 0xffffffff in ecx.", crashAt(t, idiv).reg(cpu.RCX, 0xffff_ffff)},
		{"a byte", "Division overflow. The quotient is too large for its register; the CPU reports it like a division by zero. The instruction is `div cl` with 1 in cl.", crashAt(t, divByte).reg(cpu.RCX, 0x1201)},
		{"a byte of 0", "Division by zero. An integer was divided by zero. The instruction is `div cl` with 0 in cl.", crashAt(t, divByte).reg(cpu.RCX, 0x1200)},
		{"another register", "Division overflow. The quotient is too large for its register; the CPU reports it like a division by zero. The instruction is `div r8` with 2 in r8.", crashAt(t, divRex).reg(cpu.R8, 2)},
		{"0 in memory", "Division by zero. An integer was divided by zero. The instruction is `div dword [rax]` with 0 at 0x600010.", crashAt(t, divMemory).reg(cpu.RAX, heapBase+0x10).put(heapBase+0x10, 0)},
		{"memory that was not captured", "Division by zero. An integer was divided by zero. The instruction is `div dword [rax]` with 0 at 0x600010.", crashAt(t, divMemory).reg(cpu.RAX, heapBase+0x10)},
		{"memory", "Division overflow. The quotient is too large for its register; the CPU reports it like a division by zero. The instruction is `div dword [rax]` with 5 at 0x600010.", crashAt(t, divMemory).reg(cpu.RAX, heapBase+0x10).put(heapBase+0x10, 5)},
	}
	for _, tt := range tests {
		for _, raise := range []func(){func() { tt.s.raise("linux", sigFPE, fpeIntDiv) }, func() { tt.s.raise("mac", excArithmetic, 1) }} {
			raise()
			if got := said(t, tt.s); got != tt.want && !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s, %s:\n got %s\nwant %s", tt.name, tt.s.OS, got, tt.want)
			}
		}
	}
}

// The part of a register that each of its names means: Intel SDM, volume 1,
// section 3.4.1.1, "General-Purpose Registers in 64-Bit Mode".
func TestDivisorMask(t *testing.T) {
	const byte1, word, dword, qword = 0xff, 0xffff, 0xffff_ffff, ^uint64(0)
	for mask, names := range map[uint64][]string{
		byte1: {"al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl", "r8b", "r15b", "r8l"},
		word:  {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "r8w", "r15w"},
		dword: {"eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", "esp", "r8d", "r15d"},
		qword: {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r15"},
	} {
		for _, name := range names {
			if got := divisorMask(name); got != mask {
				t.Errorf("%s: %#x, want %#x", name, got, mask)
			}
		}
	}
}
