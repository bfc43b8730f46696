package cpu

// Registers of sparc, as of the current register window: g0 to g7, o0 to o7,
// l0 to l7 and i0 to i7 have the numbers 0 to 31.
const (
	SPARCSP  Reg = 14 // o6
	SPARCFP  Reg = 30 // i6, the caller's o6
	SPARCI7  Reg = 31 // address of the call that entered this function
	SPARCPC  Reg = 32
	SPARCNPC Reg = 33
	SPARCCCR Reg = 34
)

// SPARC is sparc v8 and the 32-bit view of v9. The register window moves with each call, so that no
// register is callee-saved in the usual sense. The return address is stored as the address of the
// call itself; execution continues behind its delay slot. System V ABI, SPARC supplement, figure
// 3-10.
var SPARC = Arch{
	Name: "sparc", Word: 4, CallSize: 8, Align: 4,
	Regs: append(append(append(append(numbered("g", 8), numbered("o", 8)...), numbered("l", 8)...),
		numbered("i", 8)...), "pc", "npc", "ccr"),
	Aliases: map[string]Reg{"sp": SPARCSP, "fp": SPARCFP},
	PC:      SPARCPC, SP: SPARCSP, FP: SPARCFP, LR: None,
}
