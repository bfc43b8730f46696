package disasm

import (
	"testing"

	"crashglass/core/machine/cpu"
)

// Loads and stores of ARM, RISC-V and PowerPC: the bytes are those of LLVM 14's assembler, and the
// accesses are by the ARM ARM (DDI 0406), section A8.8, the RISC-V manual, volume 1, and the Power
// ISA. Register number n of the context holds 0x10000*(n+1): sp is 0xe0000 of ARM and 0x30000 of
// RISC-V, r1 is 0x40000 of PowerPC.
func TestAccessesOfOthers(t *testing.T) {
	for _, of := range []struct {
		arch *cpu.Arch
		rows []struct{ code, text, want string }
	}{
		{&cpu.ARM, []struct{ code, text, want string }{
			{"ff0fd1e5", "ldrb r0, [r1, #4095]", "read 0x20fff/0x1"},
			{"010071e5", "ldrb r0, [r1, #-1]!", "read 0x1ffff/0x1"},
			{"04009de5", "ldr r0, [sp, #4]", "read 0xe0004/0x4"},
			{"020091e7", "ldr r0, [r1, r2]", "read 0x50000/0x4"},
			{"0200b1e7", "ldr r0, [r1, r2]!", "read 0x50000/0x4"},
			{"020091e6", "ldr r0, [r1], r2", "read 0x20000/0x4"},
			{"820011e7", "ldr r0, [r1, -r2, lsl #1]", "read 0xfffc0000/0x4"},
			{"b200d1e1", "ldrh r0, [r1, #2]", "read 0x20002/0x2"},
			{"b20091e1", "ldrh r0, [r1, r2]", "read 0x50000/0x2"},
			{"df0f51e1", "ldrsb r0, [r1, #-255]", "read 0x1ff01/0x1"},
			{"d82044e1", "ldrd r2, r3, [r4, #-8]", "read 0x4fff8/0x8"},
			{"0000c1e5", "strb r0, [r1]", "write 0x20000/0x1"},
			{"b20041e1", "strh r0, [r1, #-2]", "write 0x1fffe/0x2"},
			{"040021e5", "str r0, [r1, #-4]!", "write 0x1fffc/0x4"},
			{"080081e4", "str r0, [r1], #8", "write 0x20000/0x4"},
			{"f820c4e0", "strd r2, r3, [r4], #8", "write 0x50000/0x8"},
			{"0100e1e4", "strbt r0, [r1], #1", "write 0x20000/0x1"},
			{"9f0fd1e1", "ldrexb r0, [r1]", "read 0x20000/0x1"},
			{"9f0ff1e1", "ldrexh r0, [r1]", "read 0x20000/0x2"},
			{"9f0fb2e1", "ldrexd r0, r1, [r2]", "read 0x30000/0x8"},
			{"910f82e1", "strex r0, r1, [r2]", "write 0x30000/0x4"},
			{"920fa4e1", "strexd r0, r2, r3, [r4]", "write 0x50000/0x8"},
			{"910042e1", "swpb r0, r1, [r2]", "readwrite 0x30000/0x1"},
			{"91004201", "swpbeq r0, r1, [r2]", "readwrite 0x30000/0x1"},
			{"1e00b0e8", "ldm r0!, {r1, r2, r3, r4}", "read 0x10000/0x10"},
			{"030013e8", "ldmda r3, {r0, r1}", "read 0x3fffc/0x8"},
			{"070033e9", "ldmdb r3!, {r0, r1, r2}", "read 0x3fff4/0xc"},
			{"020080e8", "stm r0, {r1}", "write 0x10000/0x4"},
			{"0e0080e9", "stmib r0, {r1, r2, r3}", "write 0x10004/0xc"},
			{"f0402de9", "stmdb sp!, {r4, r5, r6, r7, lr}", "write 0xdffec/0x14"},
			{"ff1b11ed", "vldr d1, [r1, #-1020]", "read 0x1fc04/0x8"},
			{"ff0ac1ed", "vstr s1, [r1, #1020]", "write 0x203fc/0x4"},
			{"020081e0", "add r0, r1, r2", ""},
			{"000050e3", "cmp r0, #0", ""},
		}},
		{&cpu.RISCV64, []struct{ code, text, want string }{
			{"03850500", "lb a0, 0(a1)", "read 0xc0000/0x1"},
			{"03c5f5ff", "lbu a0, -1(a1)", "read 0xbffff/0x1"},
			{"03952500", "lh a0, 2(a1)", "read 0xc0002/0x2"},
			{"03d5f57f", "lhu a0, 2047(a1)", "read 0xc07ff/0x2"},
			{"03a50580", "lw a0, -2048(a1)", "read 0xbf800/0x4"},
			{"03e54500", "lwu a0, 4(a1)", "read 0xc0004/0x4"},
			{"2265", "ld a0, 8(sp)", "read 0x30008/0x8"},
			{"2380a500", "sb a0, 0(a1)", "write 0xc0000/0x1"},
			{"2391a500", "sh a0, 2(a1)", "write 0xc0002/0x2"},
			{"232ea4fe", "sw a0, -4(s0)", "write 0x8fffc/0x4"},
			{"06e4", "sd ra, 8(sp)", "write 0x30008/0x8"},
			{"07a54500", "flw fa0, 4(a1)", "read 0xc0004/0x4"},
			{"8825", "fld fa0, 8(a1)", "read 0xc0008/0x8"},
			{"27a2a500", "fsw fa0, 4(a1)", "write 0xc0004/0x4"},
			{"27bca5fe", "fsd fa0, -8(a1)", "write 0xbfff8/0x8"},
			{"2fa50510", "lr.w a0, (a1)", "read 0xc0000/0x4"},
			{"2fb50514", "lr.d.aq a0, (a1)", "read 0xc0000/0x8"},
			{"2fa5c518", "sc.w a0, a2, (a1)", "write 0xc0000/0x4"},
			{"2fb5c51a", "sc.d.rl a0, a2, (a1)", "write 0xc0000/0x8"},
			{"2fa5c500", "amoadd.w a0, a2, (a1)", "readwrite 0xc0000/0x4"},
			{"2fb5c50e", "amoswap.d.aqrl a0, a2, (a1)", "readwrite 0xc0000/0x8"},
			{"2fa5c5e0", "amomaxu.w a0, a2, (a1)", "readwrite 0xc0000/0x4"},
			{"c841", "c.lw a0, 4(a1)", "read 0xc0004/0x4"},
			{"8865", "c.ld a0, 8(a1)", "read 0xc0008/0x8"},
			{"e8fd", "c.sd a0, 248(a1)", "write 0xc00f8/0x8"},
			{"1245", "c.lwsp a0, 4(sp)", "read 0x30004/0x4"},
			{"a260", "c.ldsp ra, 8(sp)", "read 0x30008/0x8"},
			{"22e8", "c.sdsp s0, 16(sp)", "write 0x30010/0x8"},
			{"2225", "c.fldsp fa0, 8(sp)", "read 0x30008/0x8"},
			{"3385c500", "add a0, a1, a2", ""},
			{"4111", "c.addi sp, -16", ""},
		}},
		// Power ISA, book I, 3.3.2 to 3.3.7, 4.6, 6.7 and chapter 7: r0 as a base is 0.
		{&cpu.PPC64, []struct{ code, text, want string }{
			{"8864ffff", "lbz 3, -1(4)", "read 0x6ffff/0x1"},
			{"a4640002", "lhzu 3, 2(4)", "read 0x70002/0x2"},
			{"e864fffe", "lwa 3, -4(4)", "read 0x6fffc/0x4"},
			{"e8640009", "ldu 3, 8(4)", "read 0x70008/0x8"},
			{"98600000", "stb 3, 0(0)", "write 0x0/0x1"},
			{"b0647ffe", "sth 3, 32766(4)", "write 0x77ffe/0x2"},
			{"fbe1fff8", "std 31, -8(1)", "write 0x3fff8/0x8"},
			{"bfe10004", "stmw 31, 4(1)", "write 0x40004/0x4"},
			{"b8010000", "lmw 0, 0(1)", "read 0x40000/0x80"},
			{"c0230004", "lfs 1, 4(3)", "read 0x60004/0x4"},
			{"dc23fff8", "stfdu 1, -8(3)", "write 0x5fff8/0x8"},
			{"7c64282a", "ldx 3, 4, 5", "read 0xf0000/0x8"},
			{"7c60282e", "lwzx 3, 0, 5", "read 0x80000/0x4"},
			{"7c64296a", "stdux 3, 4, 5", "write 0xf0000/0x8"},
			{"7c642aee", "lhaux 3, 4, 5", "read 0xf0000/0x2"},
			{"7c6429ae", "stbx 3, 4, 5", "write 0xf0000/0x1"},
			{"7c6020a8", "ldarx 3, 0, 4", "read 0x70000/0x8"},
			{"7c602068", "lbarx 3, 0, 4", "read 0x70000/0x1"},
			{"7c64292d", "stwcx. 3, 4, 5", "write 0xf0000/0x4"},
			{"7c642c28", "ldbrx 3, 4, 5", "read 0xf0000/0x8"},
			{"7c642c2c", "lwbrx 3, 4, 5", "read 0xf0000/0x4"},
			{"7c642f2c", "sthbrx 3, 4, 5", "write 0xf0000/0x2"},
			{"7c242c6e", "lfsux 1, 4, 5", "read 0xf0000/0x4"},
			{"7c242fae", "stfiwx 1, 4, 5", "write 0xf0000/0x4"},
			{"7c242eee", "lfiwzx 1, 4, 5", "read 0xf0000/0x4"},
			{"7c43200e", "lvebx 2, 3, 4", "read 0xd0000/0x1"},
			{"7c43204e", "lvehx 2, 3, 4", "read 0xd0000/0x2"},
			{"7c43218e", "stvewx 2, 3, 4", "write 0xd0000/0x4"},
			{"7c4322ce", "lvxl 2, 3, 4", "read 0xd0000/0x10"},
			{"7c4323ce", "stvxl 2, 3, 4", "write 0xd0000/0x10"},
			{"7c43200c", "lvsl 2, 3, 4", ""},
			{"7c232498", "lxsdx 1, 3, 4", "read 0xd0000/0x8"},
			{"7c232298", "lxvdsx 1, 3, 4", "read 0xd0000/0x8"},
			{"7c232718", "stxvw4x 1, 3, 4", "write 0xd0000/0x10"},
			{"7c232098", "lxsiwax 1, 3, 4", "read 0xd0000/0x4"},
			{"7c23261a", "lxsibzx 1, 3, 4", "read 0xd0000/0x1"},
			{"7c23275a", "stxsihx 1, 3, 4", "write 0xd0000/0x2"},
			{"7c2326d8", "lxvb16x 1, 3, 4", "read 0xd0000/0x10"},
			{"7c232758", "stxvh8x 1, 3, 4", "write 0xd0000/0x10"},
			{"7c2322d8", "lxvwsx 1, 3, 4", "read 0xd0000/0x4"},
			{"7c0327ec", "dcbz 3, 4", ""},
			{"7c832378", "mr 3, 4", ""},
		}},
	} {
		var regs cpu.Regs
		for i := range of.arch.Regs {
			regs.Set(cpu.Reg(i), 0x10000*uint64(i+1))
		}
		for _, row := range of.rows {
			inst, ok := Decode(of.arch, append(unhex(t, row.code), 0, 0, 0, 0), 0)
			if got := accesses(&inst, of.arch, &regs); !ok || got != row.want {
				t.Errorf("%s: %s: %q, %v, want %q", of.arch.Name, row.text, got, ok, row.want)
			}
		}
	}
}
