package cpu

// Registers of mips and mips64: the general registers have their hardware numbers.
const (
	MIPSS0 Reg = 16
	MIPSGP Reg = 28
	MIPSSP Reg = 29
	MIPSFP Reg = 30
	MIPSRA Reg = 31
	MIPSPC Reg = 32
)

var mipsRegs = []string{
	"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3",
	"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7",
	"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
	"t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
	"pc", "hi", "lo",
}

// Breakpad's walker calls t0 "$to"; its symbol files may, too.
var mipsAliases = map[string]Reg{"s8": MIPSFP, "epc": MIPSPC, "to": 8}

// MIPS is the 32-bit o32 ABI. A return address lies behind the call and its
// delay slot. Callee-saved: System V ABI, MIPS RISC supplement, page 3-11.
var MIPS = Arch{
	Name: "mips", Word: 4, CallSize: 8, Align: 4,
	Regs: mipsRegs, Aliases: mipsAliases,
	PC: MIPSPC, SP: MIPSSP, FP: MIPSFP, LR: MIPSRA,
	CalleeSaved: span(MIPSS0, MIPSS0+7) | SetOf(MIPSFP),
}

// MIPS64 is the 64-bit n64 ABI, in which gp is callee-saved too.
var MIPS64 = Arch{
	Name: "mips64", Word: 8, CallSize: 8, Align: 4,
	Regs: mipsRegs, Aliases: mipsAliases,
	PC: MIPSPC, SP: MIPSSP, FP: MIPSFP, LR: MIPSRA,
	CalleeSaved: span(MIPSS0, MIPSS0+7) | SetOf(MIPSGP, MIPSFP),
}
