package isa

import "crashglass/core/machine/cpu"

// thumbWide reads an instruction of 32 bits, first halfword uppermost.
// Arm ARM, section F3.2.
func thumbWide(w uint32, addr uint64) Insn {
	if w&0xf800_8000 == 0xf000_8000 {
		return thumbBranch(w, addr)
	}
	if w&0xfff0_ffe0 == 0xe8d0_f000 { // tbb, tbh
		return Insn{Flow: JumpMem}
	}
	e := thumbWideStack(w)
	if e.Kind == Nothing {
		e = thumbWideMoves(w)
	}
	if e.Kind != Nothing {
		return stackOrReturn(e)
	}
	return thumbOther(w)
}

// thumbBranch reads branches, and system instructions.
func thumbBranch(w uint32, addr uint64) Insn {
	switch w >> 12 & 5 {
	case 1: // b
		return to(Jump, addr+4+thumbJump(w))
	case 4: // blx, to A32 code, which is aligned
		return to(Call, (addr+4)&^3+thumbJump(w)&^3)
	case 5: // bl
		return to(Call, addr+4+thumbJump(w))
	}
	switch {
	case w>>23&7 != 7: // b under a condition: S, J2, J1, imm6, imm11, 0
		v := w>>26&1<<19 | w>>11&1<<18 | w>>13&1<<17 | w>>16&0x3f<<11 | w&0x7ff
		return to(CondBranch, rel(addr+4, v, 20, 1))
	case w&0xffff_ff00 == 0xf3de_8f00: // subs pc, lr, #imm: from an exception
		return Insn{Flow: Return}
	case w&0xfff0_ffff == 0xf3c0_8f00: // bxj
		return Insn{Flow: JumpReg}
	case w&0xfff0_f000 == 0xf7f0_a000: // udf
		return Insn{Flow: Trap}
	case w&0xffff_ff00 == 0xf3af_8000: // nop, and pac and its kin
		return Insn{Flow: Next, Hint: true}
	}
	return next(unreadableIf(w&0xffe0_df00 == 0xf3e0_8d00)) // mrs
}

// thumbJump is the distance of a branch: S, I1, I2, imm10, imm11, 0.
func thumbJump(w uint32) uint64 {
	s := w >> 26 & 1
	i1, i2 := ^(w>>13^s)&1, ^(w>>11^s)&1
	v := s<<24 | i1<<23 | i2<<22 | w>>16&0x3ff<<12 | w&0x7ff<<1
	return uint64(signed(v, 25))
}

// thumbWideStack decodes stores to the stack and loads from it.
func thumbWideStack(w uint32) Effect {
	rt, rd := cpu.Reg(w>>12&0xf), cpu.Reg(w>>8&0xf)
	imm8 := int64(w & 0xff)
	switch {
	case w>>16 == 0xe92d: // stmdb sp!
		return pushMask(w & 0xffff)
	case w>>16 == 0xe8bd && w&0x2000 == 0: // ldmia sp!
		return popMask(w & 0xffff)
	case w>>16 == 0xe88d: // stmia sp
		return stores(0).withMask(w & 0xffff)
	case w>>16 == 0xe89d && w&0xa000 == 0: // ldmia sp
		return loads(0).withMask(w & 0xffff)
	case w&0xffff_0f00 == 0xf84d_0d00: // str rt, [sp, #-imm]!
		return stores(0, rt).moving(-imm8)
	case w&0xffff_0f00 == 0xf85d_0b00 && rt != 13: // ldr rt, [sp], #imm
		return loads(0, rt).moving(imm8)
	case w>>16 == 0xf8cd: // str rt, [sp, #imm]
		return stores(int64(w&0xfff), rt)
	case w>>16 == 0xf8dd && rt != 13 && rt != 15: // ldr rt, [sp, #imm]
		return loads(int64(w&0xfff), rt)
	case w>>16 == 0xe96d, w>>16 == 0xe9ed: // strd rt, rd, [sp, #imm]!
		return stores(0, rt, rd).moving(upDown(w, imm8*4))
	case w>>16 == 0xe8fd && rt != 13 && rd != 13: // ldrd rt, rd, [sp], #imm
		return loads(0, rt, rd).moving(imm8 * 4)
	case w&0xff70_f000 == 0xf850_e000, w&0xfe50_c000 == 0xe810_4000: // ldr lr, [rn]; ldm rn with lr and without pc
		return Effect{Kind: LosesLR}
	case w>>16&^0x80 == 0xe94d: // strd rt, rd, [sp, #imm]
		return stores(upDown(w, imm8*4), rt, rd)
	case w>>16&^0x80 == 0xe95d && rt != 13 && rd != 13: // ldrd rt, rd, [sp, #imm]
		return loads(upDown(w, imm8*4), rt, rd)
	}
	return Effect{}
}

// thumbWideMoves decodes changes of the stack pointer, and copies of it.
func thumbWideMoves(w uint32) Effect {
	imm8 := int64(w & 0xff)
	switch {
	case w&0xfbff_8f00 == 0xf1ad_0d00: // sub.w sp, sp, #imm
		return moves(-thumbImmediate(w))
	case w&0xfbff_8f00 == 0xf10d_0d00: // add.w sp, sp, #imm
		return moves(thumbImmediate(w))
	case w&0xfbff_8f00 == 0xf2ad_0d00: // subw sp, sp, #imm
		return moves(-thumbPlain(w))
	case w&0xfbff_8f00 == 0xf20d_0d00: // addw sp, sp, #imm
		return moves(thumbPlain(w))
	case w&0xfbff_8f00 == 0xf10d_0b00, w&0xfbff_8f00 == 0xf10d_0700: // add.w r11 or r7, sp, #imm
		return setsFP(cpu.Reg(w>>8&0xf), thumbImmediate(w))
	case w&0xfbff_8f00 == 0xf20d_0b00, w&0xfbff_8f00 == 0xf20d_0700: // addw r11 or r7, sp, #imm
		return setsFP(cpu.Reg(w>>8&0xf), thumbPlain(w))
	case w&0xfbff_8f00 == 0xf107_0700: // add.w r7, r7, #imm
		return Effect{Kind: MovesFP, Base: cpu.ARMR7, Off: thumbImmediate(w)}
	case w&0xfbff_8f00 == 0xf207_0700: // addw r7, r7, #imm
		return Effect{Kind: MovesFP, Base: cpu.ARMR7, Off: thumbPlain(w)}
	case w&0xfbf0_8f00 == 0xf1a0_0d00: // sub.w sp, rn, #imm
		return armSetsSP(cpu.Reg(w>>16&0xf), -thumbImmediate(w))
	case w&0xfbf0_8f00 == 0xf100_0d00: // add.w sp, rn, #imm
		return armSetsSP(cpu.Reg(w>>16&0xf), thumbImmediate(w))
	case w&0xffbf_0e00 == 0xed2d_0a00: // vpush
		return moves(-4 * imm8)
	case w&0xffbf_0e00 == 0xecbd_0a00: // vpop
		return moves(4 * imm8)
	}
	return Effect{}
}

// thumbPlain is an immediate of 12 bits.
func thumbPlain(w uint32) int64 {
	return int64(w>>15&0x800 | w>>4&0x700 | w&0xff)
}

// thumbImmediate is a modified immediate. Arm ARM, section F2.2.
func thumbImmediate(w uint32) int64 {
	imm, low := uint32(thumbPlain(w)), w&0xff
	switch imm >> 8 {
	case 0:
		return int64(low)
	case 1:
		return int64(low<<16 | low)
	case 2:
		return int64(low<<24 | low<<8)
	case 3:
		return int64(low<<24 | low<<16 | low<<8 | low)
	}
	v, by := imm&0x7f|0x80, imm>>7
	return int64(v>>by | v<<(32-by))
}

// thumbOther decodes jumps and other changes of the stack pointer.
func thumbOther(w uint32) Insn {
	rn, rt, rd := w>>16&0xf, w>>12&0xf, w>>8&0xf
	load, wback := w>>20&1 != 0, w>>21&1 != 0
	switch {
	case w&0xfe40_0000 == 0xe800_0000: // ldm, stm
		e := unreadableIf(wback && rn == 13 || load && w&(1<<13) != 0)
		return armLoad(e, load && w&(1<<15) != 0, rn == 13)
	case w&0xfe40_0000 == 0xe840_0000: // pairs, exclusive ones
		return next(unreadableIf(rn == 13 && wback || load && (rt == 13 || rd == 13)))
	case w&0xfe00_0000 == 0xf800_0000: // single loads and stores
		moved := w>>23&1 == 0 && w&0x900 == 0x900
		if w>>24 == 0xf9 && !load { // vectors
			moved = w&0xf != 15
		}
		moved = rn == 13 && moved
		return armLoad(unreadableIf(moved || load && rt == 13), load && rt == 15 && w>>21&3 == 2, moved)
	case w&0xec00_0000 == 0xec00_0000: // coprocessors and vectors, whose bits 8 to 11 are no register
		return next(unreadableIf(rn == 13 && wback && w>>25&1 == 0))
	}
	return next(unreadableIf(rd == 13)) // data processing
}
