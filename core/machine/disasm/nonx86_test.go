package disasm

import (
	"encoding/hex"
	"testing"

	"crashglass/core/machine/cpu"
)

// The bytes are LLVM's assembler's, and the accesses were read off the manuals:
// register number n holds 0x10000*(n+1), and instructions follow each other
// from address 0. Texts are as the GNU tools write them, with absolute targets.
type instRow struct {
	code, text string
	flow       cpu.Flow
	accesses   string
}

func testRows(t *testing.T, arch *cpu.Arch, rows []instRow) {
	t.Helper()
	var regs cpu.Regs
	for i := range arch.Regs {
		regs.Set(cpu.Reg(i), 0x10000*uint64(i+1))
	}
	addr := uint64(0)
	for _, row := range rows {
		code := unhex(t, row.code)
		inst, ok := Decode(arch, append(code, 0, 0, 0, 0), addr)
		if !ok || inst.Text != row.text || inst.Len != len(code) || inst.Flow != row.flow {
			t.Errorf("%s: %q of %d bytes, flow %d, %v; want %q, flow %d", row.code, inst.Text, inst.Len, inst.Flow, ok, row.text, row.flow)
		}
		if got := accesses(&inst, arch, &regs); got != row.accesses {
			t.Errorf("%s: %q, want %q", row.text, got, row.accesses)
		}
		addr += uint64(len(code))
	}
}

func TestARM64(t *testing.T) {
	testRows(t, &cpu.ARM64, []instRow{
		{"ff0b5fd6", "retaa", cpu.Ret, ""},
		{"3f081fd7", "braa x1, sp", cpu.Jump, ""},
		{"640c3fd7", "blrab x3, x4", cpu.Call, ""},
		{"bf081fd6", "braaz x5", cpu.Jump, ""},
		{"2000c1da", "pacia x0, x1", cpu.Next, ""},
		{"e33bc1da", "autdza x3", cpu.Next, ""},
		{"e243c1da", "xpaci x2", cpu.Next, ""},
		{"201420f8", "ldraa x0, [x1, #8]", cpu.Next, "read ?"},
		{"83ecfff8", "ldrab x3, [x4, #-16]!", cpu.Next, "read ?"},
		{"6200e1f8", "ldaddal x1, x2, [x3]", cpu.Next, "readwrite 0x40000/0x8"},
		{"5f0021b8", "stadd w1, [x2]", cpu.Next, "readwrite 0x30000/0x4"},
		{"e183e038", "swpalb w0, w1, [sp]", cpu.Next, "readwrite 0x200000/0x1"},
		{"827c2048", "casp x0, x1, x2, x3, [x4]", cpu.Next, "readwrite 0x50000/0x10"},
		{"82fc6008", "caspal w0, w1, w2, w3, [x4]", cpu.Next, "readwrite 0x50000/0x8"},
		{"41c0bf78", "ldaprh w1, [x2]", cpu.Next, "read 0x30000/0x2"},
		{"413020f8", "ldset x0, x1, [x2]", cpu.Next, "readwrite 0x30000/0x8"},
		{"202c20d9", "stg x0, [x1, #32]!", cpu.Next, "write 0x20020/0x10"},
		{"20f4bfd9", "st2g x0, [x1], #-16", cpu.Next, "write 0x20000/0x20"},
		{"23740bd5", "dc zva, x3", cpu.Next, "write 0x40000/0x40"},
		{"07000000", "udf #7", cpu.Trap, ""},
		{"3f2303d5", "paciasp", cpu.Next, ""},
		{"4090400d", "ld1 {v0.s}[1], [x2]", cpu.Next, "read 0x30000/0x4"},
		{"60e8604d", "ld4r {v0.4s-v3.4s}, [x3]", cpu.Next, "read 0x40000/0x10"},
		{"20010058", "ldr x0, 0x80", cpu.Next, "read 0x80/0x8"},
		{"20805ff8", "ldur x0, [x1, #-8]", cpu.Next, "read 0x1fff8/0x8"},
		{"400441a8", "ldnp x0, x1, [x2, #16]", cpu.Next, "read 0x30010/0x10"},
		{"40847f69", "ldpsw x0, x1, [x2, #-4]", cpu.Next, "read 0x2fffc/0x8"},
		{"2078e23c", "ldr q0, [x1, x2, lsl #4]", cpu.Next, "read 0x320000/0x10"},
		{"205862f8", "ldr x0, [x1, w2, uxtw #3]", cpu.Next, "read 0x1a0000/0x8"},
		{"000080f9", "prfm pldl1keep, [x0]", cpu.Next, ""},
		{"203840f8", "ldtr x0, [x1, #3]", cpu.Next, "read 0x20003/0x8"},
		{"618820c8", "stlxp w0, x1, x2, [x3]", cpu.Next, "write 0x40000/0x10"},
		{"40840069", "stgp x0, x1, [x2, #16]", cpu.Next, "write 0x30010/0x10"},
		{"4084bf69", "stgp x0, x1, [x2, #-16]!", cpu.Next, "write 0x2fff0/0x10"},
		{"40848068", "stgp x0, x1, [x2], #16", cpu.Next, "write 0x30000/0x10"},
	})
}

func TestARM(t *testing.T) {
	testRows(t, &cpu.ARM, []instRow{
		{"000091e5", "ldr r0, [r1]", cpu.Next, "read 0x20000/0x4"},
		{"0400b1e5", "ldr r0, [r1, #4]!", cpu.Next, "read 0x20004/0x4"},
		{"040091e4", "ldr r0, [r1], #4", cpu.Next, "read 0x20000/0x4"},
		{"0201d1e7", "ldrb r0, [r1, r2, lsl #2]", cpu.Next, "read 0xe0000/0x1"},
		{"f60051e1", "ldrsh r0, [r1, #-6]", cpu.Next, "read 0x1fffa/0x2"},
		{"f820c4e1", "strd r2, [r4, #8]", cpu.Next, "write 0x50008/0x8"},
		{"d52004e1", "ldrd r2, [r4, -r5]", cpu.Next, "read 0xffff0000/0x8"},
		{"08402de9", "push {r3, lr}", cpu.Next, "write 0xdfff8/0x8"},
		{"04302de5", "push {r3}", cpu.Next, "write 0xdfffc/0x4"},
		{"0880bde8", "pop {r3, pc}", cpu.Ret, "read 0xe0000/0x8"},
		{"04309de4", "pop {r3}", cpu.Next, "read 0xe0000/0x4"},
		{"0e0090e8", "ldm r0, {r1, r2, r3}", cpu.Next, "read 0x10000/0xc"},
		{"0600b0e9", "ldmib r0!, {r1, r2}", cpu.Next, "read 0x10004/0x8"},
		{"700003e8", "stmda r3, {r4, r5, r6}", cpu.Next, "write 0x3fff8/0xc"},
		{"10403de9", "ldmdb sp!, {r4, lr}", cpu.Next, "read 0xdfff8/0x8"},
		{"910002e1", "swp r0, r1, [r2]", cpu.Next, "readwrite 0x30000/0x4"},
		{"9f0f91e1", "ldrex r0, [r1]", cpu.Next, "read 0x20000/0x4"},
		{"910fc2e1", "strexb r0, r1, [r2]", cpu.Next, "write 0x30000/0x1"},
		{"08009fe5", "ldr r0, [pc, #8]", cpu.Next, "read 0x58/0x4"},
		{"02001117", "ldrne r0, [r1, -r2]", cpu.Next, "read 0xffff0000/0x4"},
		{"a20191e7", "ldr r0, [r1, r2, lsr #3]", cpu.Next, "read ?"},
		{"020b91ed", "vldr d0, [r1, #8]", cpu.Next, "read 0x20008/0x8"},
		{"020a11ed", "vldr s0, [r1, #-8]", cpu.Next, "read 0x1fff8/0x4"},
		{"003b82ed", "vstr d3, [r2]", cpu.Next, "write 0x30000/0x8"},
		{"400000eb", "bl 0x168", cpu.Call, ""},
		{"1000001a", "bne 0xac", cpu.CondJump, ""},
		{"1eff2fe1", "bx lr", cpu.Ret, ""},
		{"13ff2fe1", "bx r3", cpu.Jump, ""},
		{"32ff2fe1", "blx r2", cpu.Call, ""},
		{"000000ea", "b 0x7c", cpu.Jump, ""},
		{"000000ef", "svc 0x00000000", cpu.Trap, ""},
		{"f000f0e7", "udf #0", cpu.Trap, ""},
		{"710020e1", "bkpt 0x0001", cpu.Trap, ""},
		{"0100a0e1", "mov r0, r1", cpu.Next, ""},
		{"0400b1e4", "ldrt r0, [r1], #4", cpu.Next, "read 0x20000/0x4"},
		{"d400f1e0", "ldrsbt r0, [r1], #4", cpu.Next, "read 0x20000/0x1"},
		{"5bf07ff5", "dmb #11", cpu.Next, ""},
		{"00f090e5", "ldr pc, [r0]", cpu.Jump, "read 0x10000/0x4"},
		{"04f04ee2", "sub pc, lr, #4", cpu.Jump, ""},
		{"0ef0a0e1", "mov pc, lr", cpu.Ret, ""},
	})
}

func TestPPC64(t *testing.T) {
	testRows(t, &cpu.PPC64, []instRow{
		{"80640008", "lwz r3,8(r4)", cpu.Next, "read 0x70008/0x4"},
		{"80600008", "lwz r3,8(0)", cpu.Next, "read 0x8/0x4"},
		{"e861fff8", "ld r3,-8(r1)", cpu.Next, "read 0x3fff8/0x8"},
		{"f821ffc1", "stdu r1,-64(r1)", cpu.Next, "write 0x3ffc0/0x8"},
		{"f8010010", "std r0,16(r1)", cpu.Next, "write 0x40010/0x8"},
		{"7c6428ae", "lbzx r3,r4,r5", cpu.Next, "read 0xf0000/0x1"},
		{"7c64296e", "stwux r3,r4,r5", cpu.Next, "write 0xf0000/0x4"},
		{"c8230008", "lfd f1,8(r3)", cpu.Next, "read 0x60008/0x8"},
		{"d0230004", "stfs f1,4(r3)", cpu.Next, "write 0x60004/0x4"},
		{"7c602028", "lwarx r3,0,r4", cpu.Next, "read 0x70000/0x4"},
		{"7c6521ad", "stdcx. r3,r5,r4", cpu.Next, "write 0xf0000/0x8"},
		{"bb810008", "lmw r28,8(r1)", cpu.Next, "read 0x40008/0x10"},
		{"ac640002", "lhau r3,2(r4)", cpu.Next, "read 0x70002/0x2"},
		{"e8650006", "lwa r3,4(r5)", cpu.Next, "read 0x80004/0x4"},
		{"7c642e2c", "lhbrx r3,r4,r5", cpu.Next, "read 0xf0000/0x2"},
		{"7c4320ce", "lvx v2,r3,r4", cpu.Next, "read 0xd0000/0x10"},
		{"7c4321ce", "stvx v2,r3,r4", cpu.Next, "write 0xd0000/0x10"},
		{"48000101", "bl 0x144", cpu.Call, ""},
		{"41820040", "beq 0x88", cpu.CondJump, ""},
		{"4e800020", "blr", cpu.Ret, ""},
		{"4e800420", "bctr", cpu.Jump, ""},
		{"4e800421", "bctrl", cpu.Call, ""},
		{"48000010", "b 0x68", cpu.Jump, ""},
		{"44000002", "sc 0", cpu.Trap, ""},
		{"7fe00008", "tw 31,r0,r0", cpu.Trap, ""},
		{"7c0802a6", "mflr r0", cpu.Next, ""},
		{"7c642bd2", "divd r3,r4,r5", cpu.Next, ""},
		{"7c032698", "lxvd2x vs0,r3,r4", cpu.Next, "read 0xd0000/0x10"},
		{"e0830010", "lq r4,16(r3)", cpu.Next, "read 0x60010/0x10"},
	})
}

func TestRISCV64(t *testing.T) {
	testRows(t, &cpu.RISCV64, []instRow{
		{"0385c5ff", "lb a0, -4(a1)", cpu.Next, "read 0xbfffc/0x1"},
		{"03d54500", "lhu a0, 4(a1)", cpu.Next, "read 0xc0004/0x2"},
		{"8841", "lw a0, 0(a1)", cpu.Next, "read 0xc0000/0x4"},
		{"03b5857f", "ld a0, 2040(a1)", cpu.Next, "read 0xc07f8/0x8"},
		{"a300a100", "sb a0, 1(sp)", cpu.Next, "write 0x30001/0x1"},
		{"06e4", "sd ra, 8(sp)", cpu.Next, "write 0x30008/0x8"},
		{"07254500", "flw fa0, 4(a0)", cpu.Next, "read 0xb0004/0x4"},
		{"08a5", "fsd fa0, 8(a0)", cpu.Next, "write 0xb0008/0x8"},
		{"2fb50510", "lr.d a0, (a1)", cpu.Next, "read 0xc0000/0x8"},
		{"2fa5c518", "sc.w a0, a2, (a1)", cpu.Next, "write 0xc0000/0x4"},
		{"2f35b600", "amoadd.d a0, a1, (a2)", cpu.Next, "readwrite 0xd0000/0x8"},
		{"2f25b60e", "amoswap.w.aqrl a0, a1, (a2)", cpu.Next, "readwrite 0xd0000/0x4"},
		{"c841", "lw a0, 4(a1)", cpu.Next, "read 0xc0004/0x4"},
		{"8865", "ld a0, 8(a1)", cpu.Next, "read 0xc0008/0x8"},
		{"c260", "ld ra, 16(sp)", cpu.Next, "read 0x30010/0x8"},
		{"22ec", "sd s0, 24(sp)", cpu.Next, "write 0x30018/0x8"},
		{"c8c1", "sw a0, 4(a1)", cpu.Next, "write 0xc0004/0x4"},
		{"0825", "fld fa0, 8(a0)", cpu.Next, "read 0xb0008/0x8"},
		{"2aa4", "fsd fa0, 8(sp)", cpu.Next, "write 0x30008/0x8"},
		{"8280", "ret", cpu.Ret, ""},
		{"0285", "jr a0", cpu.Jump, ""},
		{"0295", "jalr a0", cpu.Call, ""},
		{"0290", "ebreak", cpu.Trap, ""},
		{"01a8", "j 0x50", cpu.Jump, ""},
		{"01c5", "beqz a0, 0x4a", cpu.CondJump, ""},
		{"ef000010", "jal 0x144", cpu.Call, ""},
		{"0295", "jalr a0", cpu.Call, ""},
		{"8280", "ret", cpu.Ret, ""},
		{"6308b500", "beq a0, a1, 0x5c", cpu.CondJump, ""},
		{"73000000", "ecall", cpu.Trap, ""},
		{"0290", "ebreak", cpu.Trap, ""},
		{"0000", "c.unimp", cpu.Trap, ""},
		{"0000", "c.unimp", cpu.Trap, ""},
		{"0505", "addi a0, a0, 1", cpu.Next, ""},
		{"33c5c502", "div a0, a1, a2", cpu.Next, ""},
		{"17150000", "auipc a0, 0x1", cpu.Next, ""},
		{"03e54500", "lwu a0, 4(a1)", cpu.Next, "read 0xc0004/0x4"},
	})
}

// TestRefused: bytes that are no instruction of a CPU, or no supported one.
func TestRefused(t *testing.T) {
	tests := []struct {
		arch *cpu.Arch
		code string
		addr uint64
	}{
		{&cpu.ARM64, "ffffffff", 0},
		{&cpu.ARM64, "1f2003", 0},
		{&cpu.ARM, "000091e5", 2}, // Thumb, by its address
		{&cpu.ARM, "0000", 0},
		{&cpu.PPC64, "00000000", 0},
		{&cpu.PPC64, "6000", 0},
		{&cpu.RISCV64, "ffffffff", 0},
		{&cpu.RISCV64, "03", 0},
		{&cpu.RISCV64, "0345", 0}, // half of a long one
		{&cpu.MIPS, "00000000", 0},
	}
	for _, tt := range tests {
		if inst, ok := Decode(tt.arch, unhex(t, tt.code), tt.addr); ok {
			t.Errorf("%s %s: decoded as %q", tt.arch.Name, tt.code, inst.Text)
		}
	}
}

// TestPages: adrp counts in pages, from any offset in its page.
func TestPages(t *testing.T) {
	inst, ok := Decode(&cpu.ARM64, unhex(t, "e20000f0"), 0x40_0a64)
	if !ok || inst.Text != "adrp x2, 0x41f000" || inst.Operands[1].Imm != 0x41_f000 {
		t.Errorf("%q, %+v", inst.Text, inst.Operands)
	}
}

// The decoder of arm64 writes a space for operands that are not there.
func TestNoOperands(t *testing.T) {
	for _, tt := range []struct {
		arch       *cpu.Arch
		code, want string
	}{
		{&cpu.ARM64, "1f2003d5", "nop"},
		{&cpu.ARM64, "e0039fd6", "eret"},
		{&cpu.ARM64, "c0035fd6", "ret"},
		{&cpu.ARM, "00f020e3", "nop"},
		{&cpu.RISCV64, "73000000", "ecall"},
		{&cpu.PPC64, "4e800020", "blr"},
	} {
		code, _ := hex.DecodeString(tt.code)
		if inst, ok := Decode(tt.arch, code, 0x1000); !ok || inst.Text != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.arch.Name, tt.code, inst.Text, tt.want)
		}
	}
}
