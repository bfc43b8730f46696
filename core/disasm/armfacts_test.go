package disasm

import (
	"testing"

	"crashglass/core/cpu"
)

// The bytes are those of LLVM 14's assembler (llvm-mc --show-encoding). The facts are from the Arm
// Architecture Reference Manual (DDI 0487), section C6.2: a number 31 is the zero register or sp by
// instruction, and udiv does not fail. A register that EL0 can use has op1 3 ("System instruction
// class encoding overview"); Linux answers for the identification registers.
func TestARM64Facts(t *testing.T) {
	checkFacts(t, &cpu.ARM64, []factRow{
		{"04000014", "b #16", "jump 0x1010: ->0x1010"},
		{"00fcff97", "bl #-4096", "call 0x0: ->0x0"},
		{"41000054", "b.ne #8", "cond 0x1008: ->0x1008"},
		{"c3ffff34", "cbz w3, #-8", "cond 0xff8: w3=x3, ->0xff8"},
		{"feff7fb5", "cbnz x30, #1048572", "cond 0x100ffc: x30=lr, ->0x100ffc"},
		{"1d001c37", "tbnz w29, #3, #-32768", "cond 0xffffffffffff9000: w29=fp, #3, ->0xffffffffffff9000"},
		{"20021fd6", "br x17", "jump: x17=x17"},
		{"a0033fd6", "blr x29", "call: x29=fp"},
		{"c0035fd6", "ret", "ret: x30=lr"},
		{"a0005fd6", "ret x5", "ret: x5=x5"},
		{"e0039fd6", "eret", "ret: ; privileged"},
		{"610000d4", "svc #3", "trap: #3"},
		{"220000d4", "hvc #1", "trap: #1; privileged"},
		{"430000d4", "smc #2", "trap: #2; privileged"},
		{"00003ed4", "brk #0xf000", "trap: #61440"},
		{"200040d4", "hlt #1", "trap: #1"},
		{"001018d5", "msr SCTLR_EL1, x0", "next: x0=x0; privileged"},
		{"df4203d5", "msr DAIFSet, #2", "next: #2; privileged"},
		{"00441bd5", "msr FPCR, x0", "next: x0=x0"},
		{"41d01bd5", "msr TPIDR_EL0, x1", "next: x1=x1"},
		{"41d03bd5", "mrs x1, TPIDR_EL0", "next: x1=x1"},
		{"021038d5", "mrs x2, SCTLR_EL1", "next: x2=x2; privileged"},
		{"030038d5", "mrs x3, MIDR_EL1", "next: x3=x3"},
		{"e0ffff10", "adr x0, #-4", "next: x0=x0, ->0xffc"},
		{"1e0000d0", "adrp x30, #8192", "next: x30=lr, ->0x3000"},
		{"e0031e2a", "mov w0, w30", "next: w0=x0, w30=lr"},
		{"e0430091", "add x0, sp, #16", "next: x0=x0, sp=sp"},
		{"ff070051", "sub wsp, wsp, #1", "next: wsp=sp, wsp=sp"},
		{"e7ff9fd2", "movz x7, #0xffff", "next: x7=x7, #65535"},
		{"2008c29a", "udiv x0, x1, x2", "next: x0=x0, x1=x1, x2=x2"},
		{"200440f9", "ldr x0, [x1, #8]", "next: x0=x0, mem"},
		{"80000018", "ldr w0, #16", "next: w0=x0, mem"},
		{"ff030039", "strb wzr, [sp]", "next: wzr=-, mem"},
		{"fd7bbfa9", "stp x29, x30, [sp, #-16]!", "next: x29=fp, x30=lr, mem"},
		{"6200e1b8", "ldaddal w1, w2, [x3]", "next: w1=x1, w2=x2, mem"},
		{"827c2048", "casp x0, x1, x2, x3, [x4]", "next: x0=x0, x1=x1, x2=x2, x3=x3, mem"},
		{"40fc1f69", "stgp x0, xzr, [x2, #1008]", "next: x0=x0, xzr=-, mem"},
		{"3f740bd5", "dc zva, xzr", "next: xzr=-"},
		{"3e740bd5", "dc zva, x30", "next: x30=lr"},
		{"3f081fd7", "braa x1, sp", "jump: x1=x1, sp=sp"},
		{"dd0f3fd7", "blrab x30, x29", "call: x30=lr, x29=fp"},
		{"ff0f5fd6", "retab", "ret:"},
		{"e003c1da", "pacia x0, sp", "next: x0=x0, sp=sp"},
		{"ff3fc1da", "autdzb xzr", "next: xzr=-"},
		{"fe47c1da", "xpacd x30", "next: x30=lr"},
		{"e00720f8", "ldraa x0, [sp]", "next: x0=x0, mem"},
		{"20005099", "ldapur w0, [x1, #-256]", "next: w0=x0, mem"},
		{"e0f38f19", "ldapursb x0, [sp, #255]", "next: x0=x0, mem"},
		{"bf030059", "stlurh wzr, [x29]", "next: wzr=-, mem"},
	})
}

// The bytes are those of LLVM 14's assembler, and the facts from the ARM Architecture Reference
// Manual (DDI 0406), section A8.8. pc reads as the address plus 8. A write to pc is a jump (A2.3.2),
// and a return if it comes from lr or from the stack.
func TestARMFacts(t *testing.T) {
	checkFacts(t, &cpu.ARM, []factRow{
		{"040000ea", "b #16", "jump 0x1018: ->0x1018"},
		{"feffff1a", "bne #-8", "cond 0x1000: ->0x1000"},
		{"000400eb", "bl #0x1000", "call 0x2008: ->0x2008"},
		{"400000fb", "blx #0x102", "call 0x110a: ->0x110a"},
		{"1eff2fe1", "bx lr", "ret: lr=lr"},
		{"1eff2f01", "bxeq lr", "ret: lr=lr"},
		{"13ff2fe1", "bx r3", "jump: r3=r3"},
		{"23ff2fe1", "bxj r3", "jump: r3=r3"},
		{"3cff2fe1", "blx r12", "call: r12=r12"},
		{"04f09de4", "ldr pc, [sp], #4", "ret:"},
		{"1080bde8", "pop {r4, pc}", "ret:"},
		{"10402de9", "push {r4, lr}", "next:"},
		{"108080e8", "stm r0, {r4, pc}", "next: mem; aligned"},
		{"070000ef", "svc #7", "trap: #7"},
		{"730020e1", "bkpt #3", "trap: #3"},
		{"ffffffe7", "udf #0xffff", "trap:"},
		{"ff00a0e3", "mov r0, #255", "next: r0=r0, #255"},
		{"ff04a0e3", "mov r0, #0xff000000", "next: r0=r0, #4278190080"},
		{"08b08de2", "add r11, sp, #8", "next: r11=fp, sp=sp, #8"},
		{"ffaf0fe3", "movw r10, #0xffff", "next: r10=r10, #65535"},
		{"007ad0ed", "vldr s15, [r0]", "next: s15=-, mem; aligned"},
		{"020b8ded", "vstr d0, [sp, #8]", "next: d0=-, mem; aligned"},
		{"020b31ee", "vadd.f64 d0, d1, d2", "next: d0=-, d1=-, d2=-"},
		{"9f0f91e1", "ldrex r0, [r1]", "next: r0=r0, mem; aligned"},
		{"920fa4e1", "strexd r0, r2, r3, [r4]", "next: r0=r0, r2=r2, r3=r3, mem; aligned"},
		{"d020c4e1", "ldrd r2, r3, [r4]", "next: r2=r2, r3=r3, mem; aligned"},
		{"f820c4e1", "strd r2, r3, [r4, #8]", "next: r2=r2, r3=r3, mem; aligned"},
		{"060090e9", "ldmib r0, {r1, r2}", "next: mem; aligned"},
		{"060020e8", "stmda r0!, {r1, r2}", "next: mem; aligned"},
		{"000091e5", "ldr r0, [r1]", "next: r0=r0, mem"},
		{"b000c1e1", "strh r0, [r1]", "next: r0=r0, mem"},
		{"910002e1", "swp r0, r1, [r2]", "next: r0=r0, r1=r1, mem"},
	})
}
