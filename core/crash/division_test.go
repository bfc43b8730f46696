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
