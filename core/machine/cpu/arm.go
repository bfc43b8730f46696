package cpu

// Registers of arm: r0 to r12 have the numbers 0 to 12.
const (
	ARMR7   Reg = 7
	ARMFP   Reg = 11
	ARMSP   Reg = 13
	ARMLR   Reg = 14
	ARMPC   Reg = 15
	ARMCPSR Reg = 16
)

// ARM is 32-bit ARM and Thumb. Callee-saved: AAPCS32, section 6.1.1.
// Instructions may start at any even address; a return address may have its
// lowest bit set, for Thumb, and call sites are two bytes or more before it.
var ARM = Arch{
	Name: "arm", Word: 4, CallSize: 2, Align: 2,
	Regs: []string{
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10",
		"fp", "r12", "sp", "lr", "pc", "cpsr",
	},
	Aliases: map[string]Reg{"r11": ARMFP, "r13": ARMSP, "r14": ARMLR, "r15": ARMPC, "ip": 12, "sl": 10},
	PC:      ARMPC, SP: ARMSP, FP: ARMFP, LR: ARMLR,
	CalleeSaved: span(4, ARMFP),
}
