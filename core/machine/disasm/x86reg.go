package disasm

import (
	"cmp"
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

func x86Name(op x86asm.Op) string {
	return cmp.Or(x86Names[op], strings.ToLower(op.String()))
}

// x86Names are the mnemonics that are not the decoder's in lower case: those
// with several spellings, and those with a size that the operands show.
var x86Names = map[x86asm.Op]string{
	x86asm.JAE: "jnb", x86asm.JE: "jz", x86asm.JNE: "jnz", x86asm.JBE: "jna",
	x86asm.CMOVAE: "cmovnb", x86asm.CMOVE: "cmovz", x86asm.CMOVNE: "cmovnz", x86asm.CMOVBE: "cmovna",
	x86asm.SETE: "setz", x86asm.SETNE: "setnz",
	x86asm.LOOPE: "loopz", x86asm.LOOPNE: "loopnz",
	x86asm.MOVSD_XMM: "movsd", x86asm.CMPSD_XMM: "cmpsd",
	x86asm.LRET: "retf", x86asm.LCALL: "callf", x86asm.LJMP: "jmpf",
	x86asm.XLATB: "xlat", x86asm.ICEBP: "int", x86asm.FWAIT: "wait",
	x86asm.PUSHFQ: "pushf", x86asm.POPFQ: "popf", x86asm.PUSHFD: "pushf", x86asm.POPFD: "popf",

	x86asm.MOVSB: "movs", x86asm.MOVSW: "movs", x86asm.MOVSD: "movs", x86asm.MOVSQ: "movs",
	x86asm.CMPSB: "cmps", x86asm.CMPSW: "cmps", x86asm.CMPSD: "cmps", x86asm.CMPSQ: "cmps",
	x86asm.SCASB: "scas", x86asm.SCASW: "scas", x86asm.SCASD: "scas", x86asm.SCASQ: "scas",
	x86asm.LODSB: "lods", x86asm.LODSW: "lods", x86asm.LODSD: "lods", x86asm.LODSQ: "lods",
	x86asm.STOSB: "stos", x86asm.STOSW: "stos", x86asm.STOSD: "stos", x86asm.STOSQ: "stos",
	x86asm.INSB: "ins", x86asm.INSW: "ins", x86asm.INSD: "ins",
	x86asm.OUTSB: "outs", x86asm.OUTSW: "outs", x86asm.OUTSD: "outs",
}

// x86String are the instructions on strings, which rep repeats.
var x86String = set("movs cmps scas lods stos ins outs")

// x86ST0 are the instructions of the x87 that are written with st(0) before
// their operand, x86ST0Last those with st(0) behind it.
var (
	x86ST0 = set(`fld fild fbld fxch fucom fucomp fadd fmul fcom fcomp fsub fsubr fdiv fdivr
		fiadd fimul ficom ficomp fisub fisubr fidiv fidivr`)
	x86ST0Last = set("fst fstp fist fistp fisttp fbstp")
)
