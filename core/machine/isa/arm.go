package isa

import "crashglass/core/machine/cpu"

// arm decodes an A32 instruction. A relevant instruction with a condition is Unreadable, because
// the condition may not hold. Arm ARM, section F4.1.
func arm(_ *Set, w uint32, addr uint64) Insn {
	if w>>28 == 0xf {
		return armUnconditional(w, addr)
	}
	i := armAlways(w, addr)
	if w>>28 == 0xe {
		return i
	}
	switch {
	case i.Flow == Trap: // bkpt and udf have no condition
		return next(Effect{})
	case i.Flow.Leaves():
		i.Flow, i.Stack = CondBranch, Effect{}
	case i.Stack.Kind != Nothing:
		i.Stack = unreadable
	}
	return i
}

// armUnconditional decodes the instructions without a condition field.
func armUnconditional(w uint32, addr uint64) Insn {
	switch {
	case w>>25 == 0x7d: // blx, whose bit 24 is a halfword
		return to(Call, rel(addr+8, w, 24, 2)+uint64(w>>23&2))
	case w>>24 == 0xf4 && w>>16&0xf == 13 && w&0xf != 15: // vectors that move the stack pointer
		return next(unreadable)
	case w&0x0e50_0000 == 0x0810_0000: // rfe
		return Insn{Flow: Return, Stack: unreadable}
	case w&0x0e50_0000 == 0x0840_0000: // srs
		return next(unreadable)
	}
	return next(Effect{})
}

// armAlways decodes an instruction as if it had no condition.
func armAlways(w uint32, addr uint64) Insn {
	switch {
	case w&0x0fff_ffff == 0x012f_ff1e, w&0x0fff_ffff == 0x01a0_f00e: // bx lr; mov pc, lr
		return Insn{Flow: Return}
	case w&0x0fff_fff0 == 0x012f_ff10, w&0x0fff_fff0 == 0x012f_ff20: // bx, bxj
		return Insn{Flow: JumpReg}
	case w&0x0fff_fff0 == 0x012f_ff30: // blx
		return Insn{Flow: Call}
	case w&0x0f00_0000 == 0x0a00_0000:
		return to(Jump, rel(addr+8, w, 24, 2))
	case w&0x0f00_0000 == 0x0b00_0000:
		return to(Call, rel(addr+8, w, 24, 2))
	case w&0x0ff0_00f0 == 0x0120_0070, w&0x0ff0_00f0 == 0x07f0_00f0, w&0x0ff0_00f0 == 0x0100_0070: // bkpt, udf, hlt
		return Insn{Flow: Trap}
	}
	if e := armStack(w); e.Kind != Nothing {
		return stackOrReturn(e)
	}
	return armOther(w)
}

// stackOrReturn makes the result for a stack instruction. It is a return if it loads pc.
func stackOrReturn(e Effect) Insn {
	i := next(e)
	if e.Kind == Loads && e.Has(cpu.ARMPC) {
		i.Flow = Return
	}
	return i
}

// armStack decodes stores to the stack and loads from it.
func armStack(w uint32) Effect {
	rt := cpu.Reg(w >> 12 & 0xf)
	imm8 := upDown(w, int64(w>>4&0xf0|w&0xf))
	imm12 := upDown(w, int64(w&0xfff))
	switch {
	case w&0x0fff_0000 == 0x092d_0000: // stmdb sp!
		return pushMask(w & 0xffff)
	case w&0x0fff_2000 == 0x08bd_0000: // ldmia sp!
		return popMask(w & 0xffff)
	case w&0x0fff_0000 == 0x088d_0000: // stmia sp
		return stores(0).withMask(w & 0xffff)
	case w&0x0fff_a000 == 0x089d_0000: // ldmia sp
		return loads(0).withMask(w & 0xffff)
	case w&0x0fff_0000 == 0x052d_0000 && rt != 13: // str rt, [sp, #-imm]!
		return stores(0, rt).moving(imm12)
	case w&0x0fff_0000 == 0x049d_0000 && rt != 13: // ldr rt, [sp], #imm
		return loads(0, rt).moving(imm12)
	case w&0x0f7f_0000 == 0x050d_0000: // str rt, [sp, #imm]
		return stores(imm12, rt)
	case w&0x0f7f_0000 == 0x051d_0000 && rt != 13 && rt != 15: // ldr rt, [sp, #imm]
		return loads(imm12, rt)
	case w&0x0f7f_10f0 == 0x014d_00f0: // strd rt, [sp, #imm]
		return stores(imm8, rt, rt+1)
	case w&0x0f7f_10f0 == 0x014d_00d0 && rt != 12: // ldrd rt, [sp, #imm]
		return loads(imm8, rt, rt+1)
	}
	return armMoves(w)
}

// armMoves decodes changes of the stack pointer, and copies of it.
func armMoves(w uint32) Effect {
	switch {
	case w&0x0fff_f000 == 0x024d_d000: // sub sp, sp, #imm
		return moves(-rotated(w))
	case w&0x0fff_f000 == 0x028d_d000: // add sp, sp, #imm
		return moves(rotated(w))
	case w&0x0fbf_0e00 == 0x0d2d_0a00: // vpush
		return moves(-4 * int64(w&0xff))
	case w&0x0fbf_0e00 == 0x0cbd_0a00: // vpop
		return moves(4 * int64(w&0xff))
	case w&0x0fff_fff0 == 0x01a0_d000: // mov sp, rm
		return armSetsSP(cpu.Reg(w&0xf), 0)
	case w&0x0ff0_f000 == 0x0240_d000: // sub sp, rn, #imm
		return armSetsSP(cpu.Reg(w>>16&0xf), -rotated(w))
	case w&0x0ff0_f000 == 0x0280_d000: // add sp, rn, #imm
		return armSetsSP(cpu.Reg(w>>16&0xf), rotated(w))
	case w&0x0fff_ffff == 0x01a0_b00d, w&0x0fff_ffff == 0x01a0_700d: // mov r11 or r7, sp
		return setsFP(cpu.Reg(w>>12&0xf), 0)
	case w&0x0fff_f000 == 0x028d_b000, w&0x0fff_f000 == 0x028d_7000: // add r11 or r7, sp, #imm
		return setsFP(cpu.Reg(w>>12&0xf), rotated(w))
	}
	return Effect{}
}

// upDown returns an offset with the sign that bit 23 gives.
func upDown(w uint32, n int64) int64 {
	if w>>23&1 == 0 {
		return -n
	}
	return n
}

func pushMask(mask uint32) Effect {
	e := stores(0).withMask(mask)
	return e.moving(-4 * int64(e.count))
}

func popMask(mask uint32) Effect {
	e := loads(0).withMask(mask)
	return e.moving(4 * int64(e.count))
}

// rotated is an A32 immediate.
func rotated(w uint32) int64 {
	v, by := w&0xff, w>>7&0x1e
	return int64(v>>by | v<<(32-by))
}

// armOther decodes jumps and other changes of the stack pointer.
func armOther(w uint32) Insn {
	rd, rn := w>>12&0xf, w>>16&0xf
	load, wback := w>>20&1 != 0, w>>21&1 != 0
	op := w >> 25 & 7
	switch {
	case op == 4: // ldm, stm
		e := unreadableIf(wback && rn == 13 || load && w&(1<<13) != 0)
		if load && e.Kind == Nothing && w&(1<<14) != 0 {
			e.Kind = LosesLR
		}
		return armLoad(e, load && w&(1<<15) != 0, rn == 13)
	case op == 2 || op == 3 && w&0x10 == 0 || op == 0 && w&0x90 == 0x90: // loads and stores
		moved := rn == 13 && (w>>24&1 == 0 || wback)
		second := op == 0 && rd == 12 && w>>4&0xf == 0xd && !load // ldrd r12, sp
		if !moved && rd == 14 && load && op != 0 {
			return next(Effect{Kind: LosesLR})
		}
		return armLoad(unreadableIf(moved || rd == 13 || second), rd == 15 && load && op != 0, moved)
	case op < 2: // data processing
		if w>>23&3 == 2 && !load { // mrs, msr, movw, clz; not tst and its kin
			return next(unreadableIf(rd == 13 && w&0x0fb0_0000 != 0x0320_0000))
		}
		if w>>23&3 == 2 { // tst, teq, cmp, cmn write no register
			return next(Effect{})
		}
		if w&0x0fff_fff0 == 0x01a0_e000 && w&0xf != 0xf { // mov lr, rm; that of pc is before a call
			return next(Effect{Kind: LosesLR})
		}
		return writes(rd)
	case op == 3: // media instructions, with their destination in either field
		return next(unreadableIf(rd == 13 || rn == 13 && w&0x0f00_0000 == 0x0700_0000))
	case op == 6: // vector loads and stores
		return next(unreadableIf(rn == 13 && wback))
	}
	return next(Effect{})
}

// armLoad decodes a load. A load of pc is a return if its address is on the stack.
func armLoad(e Effect, pc, pops bool) Insn {
	switch {
	case pc && pops:
		return Insn{Flow: Return, Stack: unreadable}
	case pc:
		return Insn{Flow: JumpMem, Stack: e}
	}
	return next(e)
}

func writes(rd uint32) Insn {
	if rd == 15 {
		return Insn{Flow: JumpReg}
	}
	return next(unreadableIf(rd == 13))
}
