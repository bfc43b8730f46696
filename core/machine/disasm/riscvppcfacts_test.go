package disasm

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// The bytes are those of LLVM 14's assembler, and the facts from the RISC-V unprivileged
// specification, chapters 2 ("RV32I") and 27 ("C"). ra and t0 are the link registers (table 3).
func TestRISCV64Facts(t *testing.T) {
	checkFacts(t, &cpu.RISCV64, []factRow{
		{"19a0", "c.j 6", "jump 0x1006: zero=-, ->0x1006"},
		{"6db0", "c.j -1878", "jump 0x8aa: zero=-, ->0x8aa"},
		{"05a0", "c.j 32", "jump 0x1020: zero=-, ->0x1020"},
		{"fdaf", "c.j 2046", "jump 0x17fe: zero=-, ->0x17fe"},
		{"01b0", "c.j -2048", "jump 0x800: zero=-, ->0x800"},
		{"ef001000", "jal ra, 2048", "call 0x1800: ra=ra, ->0x1800"},
		{"eff20f80", "jal t0, -4096", "call 0x0: t0=t0, ->0x0"},
		{"11a0", "jal zero, 4", "jump 0x1004: zero=-, ->0x1004"},
		{"81d3", "c.beqz a5, -256", "cond 0xf00: a5=a5, zero=-, ->0xf00"},
		{"7dec", "c.bnez s0, 254", "cond 0x10fe: s0=s0, zero=-, ->0x10fe"},
		{"e3ef0d7e", "bltu s11, zero, 4094", "cond 0x1ffe: s11=s11, zero=-, ->0x1ffe"},
		{"6370b580", "bgeu a0, a1, -4096", "cond 0x0: a0=a0, a1=a1, ->0x0"},
		{"8280", "jalr zero, 0(ra)", "ret: ra=ra, zero=-"},
		{"e7008300", "jalr ra, 8(t1)", "call: t1=t1, ra=ra"},
		{"e7020300", "jalr t0, 0(t1)", "call: t1=t1, t0=t0"},
		{"67008300", "jalr zero, 8(t1)", "jump: t1=t1, zero=-"},
		{"8287", "c.jr a5", "jump: a5=a5, zero=-"},
		{"829f", "c.jalr t6", "call: t6=t6, ra=ra"},
		{"0290", "ebreak", "trap:"},
		{"0290", "c.ebreak", "trap:"},
		{"73000000", "ecall", "trap:"},
		{"73002030", "mret", "next: ; privileged"},
		{"73002010", "sret", "next: ; privileged"},
		{"73005010", "wfi", "next: ; privileged"},
		{"0f00f00f", "fence", "next:"},
		{"7d75", "lui a0, 0xfffff", "next: a0=a0, #1048575"},
		{"97110000", "auipc gp, 1", "next: gp=gp, #1"},
		{"13050080", "addi a0, zero, -2048", "next: a0=a0, zero=-, #-2048"},
		{"0565", "c.lui a0, 1", "next: a0=a0, #1"},
		{"0171", "c.addi16sp sp, -512", "next: sp=sp, sp=sp, #-512"},
		{"e41f", "c.addi4spn s1, sp, 1020", "next: s1=s1, sp=sp, #1020"},
		{"0155", "c.li a0, -32", "next: a0=a0, zero=-, #-32"},
		{"0685", "c.mv a0, ra", "next: a0=a0, zero=-, ra=ra"},
		{"7e15", "c.slli a0, 63", "next: a0=a0, a0=a0, #63"},
		{"2fa50510", "lr.w a0, (a1)", "next: a0=a0, mem; aligned"},
		{"2f35b61e", "sc.d.aqrl a0, a1, (a2)", "next: a0=a0, a1=a1, mem; aligned"},
		{"2f20b1a0", "amomax.w zero, a1, (sp)", "next: zero=-, a1=a1, mem; aligned"},
		{"833f82ff", "ld t6, -8(tp)", "next: t6=t6, mem"},
		{"273cf17f", "fsd ft11, 2040(sp)", "next: ft11=-, mem"},
		{"53850de2", "fmv.x.d a0, fs11", "next: a0=a0, fs11=-"},
		{"d38808d2", "fcvt.d.w fa7, a7", "next: fa7=-, a7=a7"},
	})
}

// The bytes are those of LLVM 14's assembler, and the facts from the Power ISA, book I, sections 2.4
// and 3.3. A branch with AA set has an absolute target.
func TestPPC64Facts(t *testing.T) {
	checkFacts(t, &cpu.PPC64, []factRow{
		{"48000010", "b .+16", "jump 0x1010: ->0x1010"},
		{"4bfff001", "bl .-4096", "call 0x0: ->0x0"},
		{"4a2f20aa", "ba -0x1d0df58", "jump 0xfffffffffe2f20a8: ->0xfffffffffe2f20a8"},
		{"48000042", "ba 0x40", "jump 0x40: ->0x40"},
		{"48002003", "bla 0x2000", "call 0x2000: ->0x2000"},
		{"41820008", "beq .+8", "cond 0x1008: ->0x1008"},
		{"4200fffc", "bdnz .-4", "cond 0xffc: ->0xffc"},
		{"41820042", "bca 12, 2, 0x40", "cond 0x40: ->0x40"},
		{"429f0005", "bcl 20, 31, .+4", "call 0x1004: ->0x1004"},
		{"429f0043", "bcla 20, 31, 0x40", "call 0x40: ->0x40"},
		{"4e800020", "blr", "ret:"},
		{"4e800021", "blrl", "call:"},
		{"4d820020", "beqlr", "cond:"},
		{"4e800420", "bctr", "jump:"},
		{"4e800421", "bctrl", "call:"},
		{"4d820420", "beqctr", "cond:"},
		{"44000002", "sc", "trap:"},
		{"7fe00008", "trap", "trap: r0=r0, r0=r0"},
		{"0ca30010", "twlgei 3, 16", "trap: r3=r3"},
		{"089fffff", "tdeqi 31, -1", "trap: r31=r31"},
		{"7c853088", "td 4, 5, 6", "trap: r5=r5, r6=r6"},
		{"3861fff0", "addi 3, 1, -16", "next: r3=r3, r1=r1, #-16"},
		{"3fe01000", "lis 31, 0x1000", "next: r31=r31, #4096"},
		{"7c03fb78", "or 3, 0, 31", "next: r3=r3, r0=r0, r31=r31"},
		{"fc22f82a", "fadd 1, 2, 31", "next: f1=-, f2=-, f31=-"},
		{"80610008", "lwz 3, 8(1)", "next: r3=r3, mem"},
		{"7c64292a", "stdx 3, 4, 5", "next: r3=r3, mem"},
		{"bba10000", "lmw 29, 0(1)", "next: r29=r29, mem"},
		{"7c4321ce", "stvx 2, 3, 4", "next: v2=-, mem"},
	})
}
