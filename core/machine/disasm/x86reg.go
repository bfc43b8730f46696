package disasm

import (
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"

	"golang.org/x/arch/x86/x86asm"
)

// x86Reg returns the register of a context that equals or contains r.
func x86Reg(arch *cpu.Arch, r x86asm.Reg) cpu.Reg {
	n := -1
	switch {
	case r >= x86asm.AL && r <= x86asm.BL:
		n = int(r - x86asm.AL)
	case r >= x86asm.AH && r <= x86asm.BH:
		n = int(r - x86asm.AH)
	case r >= x86asm.SPB && r <= x86asm.R15B:
		n = 4 + int(r-x86asm.SPB)
	case r >= x86asm.AX && r <= x86asm.R15W:
		n = int(r - x86asm.AX)
	case r >= x86asm.EAX && r <= x86asm.R15L:
		n = int(r - x86asm.EAX)
	case r >= x86asm.RAX && r <= x86asm.R15:
		n = int(r - x86asm.RAX)
	case r == x86asm.RIP || r == x86asm.EIP || r == x86asm.IP:
		return arch.PC
	}
	switch {
	case n < 0:
		return cpu.None
	case arch == &cpu.AMD64:
		return cpu.AMD64Numbers[n]
	case n < len(cpu.X86Numbers):
		return cpu.X86Numbers[n]
	}
	return cpu.None
}

// x86RegName spells a register as rust-minidump's decoder does.
func x86RegName(r x86asm.Reg) string {
	switch {
	case r >= x86asm.SPB && r <= x86asm.DIB:
		return [...]string{"spl", "bpl", "sil", "dil"}[r-x86asm.SPB]
	case r >= x86asm.R8L && r <= x86asm.R15L:
		return "r" + strconv.Itoa(8+int(r-x86asm.R8L)) + "d"
	case r >= x86asm.F0 && r <= x86asm.F7:
		return "st(" + strconv.Itoa(int(r-x86asm.F0)) + ")"
	case r >= x86asm.M0 && r <= x86asm.M7:
		return "mm" + strconv.Itoa(int(r-x86asm.M0))
	case r >= x86asm.X0 && r <= x86asm.X31:
		return "xmm" + strconv.Itoa(int(r-x86asm.X0))
	case r >= x86asm.Y0 && r <= x86asm.Y31:
		return "ymm" + strconv.Itoa(int(r-x86asm.Y0))
	case r >= x86asm.Z0 && r <= x86asm.Z31:
		return "zmm" + strconv.Itoa(int(r-x86asm.Z0))
	}
	return strings.ToLower(r.String())
}
