package cpu

// Registers of ppc and ppc64: r0 to r31 have the numbers 2 to 33.
const (
	PPCSRR0 Reg = 0 // the program counter at the time of the exception
	PPCSRR1 Reg = 1
	PPCR1   Reg = 3 // the stack pointer
	PPCR14  Reg = 16
	PPCR31  Reg = 33
	PPCLR   Reg = 36
)

var ppcRegs = append(append([]string{"srr0", "srr1"}, numbered("r", 32)...), "cr", "xer", "lr", "ctr", "vrsave")

var ppcAliases = map[string]Reg{"pc": PPCSRR0, "sp": PPCR1}

// PPC is 32-bit PowerPC. Callee-saved: System V ABI, PowerPC supplement, figure 3-14.
var PPC = Arch{
	Name: "ppc", Word: 4, CallSize: 4, Align: 4,
	Regs: ppcRegs, Aliases: ppcAliases,
	PC: PPCSRR0, SP: PPCR1, FP: None, LR: PPCLR,
	CalleeSaved: span(PPCR14, PPCR31),
}

// PPC64 is 64-bit PowerPC. Its CallSize is Breakpad's: instructions have four bytes, but an
// instruction that restores the TOC follows a call. Only the line of such a call sequence depends
// on this value.
var PPC64 = Arch{
	Name: "ppc64", Word: 8, CallSize: 8, Align: 4,
	Regs: ppcRegs, Aliases: ppcAliases,
	PC: PPCSRR0, SP: PPCR1, FP: None, LR: PPCLR,
	CalleeSaved: span(PPCR14, PPCR31),
}
