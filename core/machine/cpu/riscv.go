package cpu

// Registers of riscv and riscv64: x1 to x31 have the numbers 1 to 31, and the
// program counter takes the place of x0, which is always zero.
const (
	RVPC Reg = 0
	RVRA Reg = 1
	RVSP Reg = 2
	RVS0 Reg = 8 // the frame pointer
	RVS1 Reg = 9
	RVS2 Reg = 18
)

var riscvRegs = []string{
	"pc", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1",
	"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
	"s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11",
	"t3", "t4", "t5", "t6",
}

var riscvAliases = riscvNumbers()

// riscvNumbers are the names x1 to x31, and fp for s0.
func riscvNumbers() map[string]Reg {
	m := map[string]Reg{"fp": RVS0}
	for i, name := range numbered("x", 32)[1:] {
		m[name] = Reg(i + 1)
	}
	return m
}

// Calls have two or four bytes. CallSize is four, as in Breakpad; a compressed call then has the
// line of the instruction before it. Callee-saved: RISC-V psABI, table "Integer register
// convention".
var (
	RISCV = Arch{
		Name: "riscv", Word: 4, CallSize: 4, Align: 2,
		Regs: riscvRegs, Aliases: riscvAliases,
		PC: RVPC, SP: RVSP, FP: RVS0, LR: RVRA,
		CalleeSaved: SetOf(RVS0, RVS1) | span(RVS2, RVS2+9),
	}
	RISCV64 = Arch{
		Name: "riscv64", Word: 8, CallSize: 4, Align: 2,
		Regs: riscvRegs, Aliases: riscvAliases,
		PC: RVPC, SP: RVSP, FP: RVS0, LR: RVRA,
		CalleeSaved: SetOf(RVS0, RVS1) | span(RVS2, RVS2+9),
	}
)
