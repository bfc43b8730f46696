package cpu

// Registers of arm64: x0 to x28 have the numbers 0 to 28.
const (
	A64FP   Reg = 29
	A64LR   Reg = 30
	A64SP   Reg = 31
	A64PC   Reg = 32
	A64CPSR Reg = 33
)

// ARM64 is AArch64. Callee-saved: AAPCS64, section 6.1.1.
var ARM64 = Arch{
	Name: "arm64", Word: 8, CallSize: 4, Align: 4,
	Regs:    append(numbered("x", 29), "fp", "lr", "sp", "pc", "cpsr"),
	Aliases: map[string]Reg{"x29": A64FP, "x30": A64LR, "x31": A64SP},
	PC:      A64PC, SP: A64SP, FP: A64FP, LR: A64LR,
	CalleeSaved: span(19, A64FP),
	lowEnd:      0x000f_ffff_ffff_ffff,
}
