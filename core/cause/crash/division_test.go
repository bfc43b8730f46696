package crash

import (
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
)

// x86 has one exception for a divisor of 0 and for a quotient that does not fit.
func TestDivision(t *testing.T) {
	const idiv, divMemory, divByte, divRex = "f7 f9", "f7 30", "f6 f1", "49 f7 f0" // idiv ecx; div dword [rax]; div cl; div r8
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"zero", "Division by zero. An integer was divided by zero. The instruction is `idiv ecx` with 0 in ecx.", crashAt(t, idiv).reg(cpu.RCX, 0)},
		{"without the instruction", "Division by zero, or division overflow. The CPU has one exception for two errors", crashAt(t, "")},
		{"without the register", "Division by zero, or division overflow. The CPU has one exception for two errors", crashAt(t, idiv)},
		{"zero, above which other bits are set", "Division by zero. An integer was divided by zero. The instruction is `idiv ecx` with 0 in ecx.", crashAt(t, idiv).reg(cpu.RCX, 1<<32)},
		{"the smallest number by -1", "Division overflow. The quotient is too large for its register; the CPU reports it like a division by zero. The instruction is `idiv ecx` with 0xffffffff in ecx.", crashAt(t, idiv).reg(cpu.RCX, 0xffff_ffff)},
		{"a byte", "Division overflow. The quotient is too large for its register; the CPU reports it like a division by zero. The instruction is `div cl` with 1 in cl.", crashAt(t, divByte).reg(cpu.RCX, 0x1201)},
		{"a byte of 0", "Division by zero. An integer was divided by zero. The instruction is `div cl` with 0 in cl.", crashAt(t, divByte).reg(cpu.RCX, 0x1200)},
		{"another register", "Division overflow. The quotient is too large for its register; the CPU reports it like a division by zero. The instruction is `div r8` with 2 in r8.", crashAt(t, divRex).reg(cpu.R8, 2)},
		{"0 in memory", "Division by zero. An integer was divided by zero. The instruction is `div dword [rax]` with 0 at 0x600010.", crashAt(t, divMemory).reg(cpu.RAX, heapBase+0x10).put(heapBase+0x10, 0)},
		{"memory that was not captured", "Division by zero, or division overflow. The CPU has one exception for two errors", crashAt(t, divMemory).reg(cpu.RAX, heapBase+0x10)},
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

// The divisor decides between a division by zero and a quotient that is too large: the part of the
// register that the instruction names, or the memory. Source: Intel SDM, volume 2, DIV, IDIV.
func TestDivisors(t *testing.T) {
	const zero, large = "Division by zero", "Division overflow"
	div := func(code string) *scene { return crashAt(t, code).raise("linux", sigFPE, fpeIntDiv) }
	tests := []struct {
		name, want string
		s          *scene
	}{
		{"ecx is 0", zero + " with 0 in ecx", div("f7 f9").reg(cpu.RCX, 0)},
		{"ecx is 0, and rcx is not", zero + " with 0 in ecx", div("f7 f9").reg(cpu.RCX, 1<<32)},
		{"rcx is not", large + " with 0x100000000 in rcx", div("48 f7 f9").reg(cpu.RCX, 1<<32)},
		{"cx is 0, and ecx is not", zero + " with 0 in cx", div("66 f7 f9").reg(cpu.RCX, 1<<16)},
		{"cl is 0, and cx is not", zero + " with 0 in cl", div("f6 f9").reg(cpu.RCX, 1<<8)},
		{"cl is 9", large + " with 9 in cl", div("f6 f9").reg(cpu.RCX, 9)},
		{"cl is 10", large + " with 0xa in cl", div("f6 f9").reg(cpu.RCX, 10)},
		{"ch: bits 8 to 15", large + " with 3 in ch", div("f6 fd").reg(cpu.RCX, 0x300)},
		{"r8b", large + " with 3 in r8b", div("41 f6 f8").reg(cpu.R8, 3)},
		{"r8w", zero + " with 0 in r8w", div("66 41 f7 f8").reg(cpu.R8, 0x3_0000)},
		{"r8d", zero + " with 0 in r8d", div("41 f7 f8").reg(cpu.R8, 3<<32)},
		{"r8", large + " with 0x300000000 in r8", div("49 f7 f8").reg(cpu.R8, 3<<32)},
		{"the register is not known", zero + ", or division overflow", div("f7 f9")},
		{"nor is the instruction", zero + ", or division overflow", div("")},
		{"memory", zero + " with 0 at 0x600000", div("f7 38").reg(cpu.RAX, heapBase).put(heapBase, 0)},
		{"memory with another number", large + " with 3 at 0x600000", div("f7 38").reg(cpu.RAX, heapBase).put(heapBase, 3)},
		{"a byte of memory that is 0", zero + " with 0 at 0x600000", div("f6 38").reg(cpu.RAX, heapBase).put(heapBase, 0x300)},
		{"two bytes", zero + " with 0 at 0x600000", div("66 f7 38").reg(cpu.RAX, heapBase).put(heapBase, 3<<16)},
		{"eight bytes", large + " with 0x300000000 at 0x600000", div("48 f7 38").reg(cpu.RAX, heapBase).put(heapBase, 3<<32)},
		{"memory that was not captured", zero + ", or division overflow", div("f7 38").reg(cpu.RAX, heapBase)},
		{"memory by a register that is not known", zero + ", or division overflow", div("f7 38")},
		{"memory that was not captured, on Windows", zero + " with 0 at 0x600000", div("f7 38").reg(cpu.RAX, heapBase).raise("windows", intDivideByZero, 0)},
		{"another instruction: the kernel is believed", zero, div(movRegister)},
		{"a signal that says overflow, at a zero", zero + " with 0 in ecx", div("f7 f9").reg(cpu.RCX, 0).raise("linux", sigFPE, 2)},
		{"a floating-point division", zero, div("f2 0f 5e c1").raise("linux", sigFPE, fpeFltDiv)},
		{"Windows", large + " with 3 in ecx", div("f7 f9").reg(cpu.RCX, 3).raise("windows", intDivideByZero, 0)},
		{"Apple", large + " with 3 in ecx", div("f7 f9").reg(cpu.RCX, 3).raise("mac", excArithmetic, 1)},
		{"Apple, at a zero", zero + " with 0 in ecx", div("f7 f9").reg(cpu.RCX, 0).raise("mac", excArithmetic, 1)},
	}
	for _, tt := range tests {
		f := Analyze(tt.s.Input).Findings[0]
		got := f.Text
		for _, e := range f.Evidence {
			if _, with, ok := strings.Cut(e, "` with"); ok {
				got += " with" + strings.TrimSuffix(with, ".")
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
