package disasm

import (
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// x86Name is the mnemonic.
func x86Name(op x86asm.Op) string {
	if name := x86Names[op]; name != "" {
		return name
	}
	return strings.ToLower(op.String())
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
