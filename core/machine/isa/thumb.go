package isa

import "crashglass/core/machine/cpu"

// thumbSize returns a T32 instruction's size by its first halfword.
func thumbSize(first uint32) int {
	if first&0xe000 == 0xe000 && first&0x1800 != 0 {
		return 4
	}
	return 2
}

// thumb decodes a T32 instruction. It does not track the instructions that IT makes conditional; IT
// itself is Unknown.
func thumb(_ *Set, w uint32, addr uint64) Insn {
	if thumbSize(w&0xffff) == 4 {
		return thumbWide(w<<16|w>>16, addr)
	}
	return thumbNarrow(w, addr)
}

// thumbNarrow reads an instruction of 16 bits. Arm ARM, section F3.1.
func thumbNarrow(w uint32, addr uint64) Insn {
	switch w >> 8 {
	case 0x44: // add between any registers
		return writes(w>>4&8 | w&7)
	case 0x46:
		return thumbMove(w)
	case 0x47:
		return thumbExchange(w)
	case 0xb1, 0xb3, 0xb9, 0xbb: // cbz, cbnz
		return to(CondBranch, addr+4+uint64(w>>3&0x40|w>>2&0x3e))
	case 0xbe: // bkpt
		return Insn{Flow: Trap}
	case 0xbf: // it, or nop and its kin
		if w&0xf != 0 {
			return Insn{}
		}
		return Insn{Flow: Next, Hint: true}
	case 0xde: // udf
		return Insn{Flow: Trap}
	case 0xdf: // svc
		return next(Effect{})
	}
	switch w >> 11 {
	case 0x1a, 0x1b: // b under a condition
		return to(CondBranch, rel(addr+4, w, 8, 1))
	case 0x1c: // b
		return to(Jump, rel(addr+4, w, 11, 1))
	}
	if w&0xffc0 == 0xba80 { // hlt
		return Insn{Flow: Trap}
	}
	return stackOrReturn(thumbStack(w))
}

// thumbMove is mov between any registers.
func thumbMove(w uint32) Insn {
	rd, rm := cpu.Reg(w>>4&8|w&7), cpu.Reg(w>>3&0xf)
	switch {
	case rd == cpu.ARMSP:
		return next(armSetsSP(rm, 0))
	case rd == cpu.ARMPC && rm == cpu.ARMLR:
		return Insn{Flow: Return}
	case rd == cpu.ARMPC:
		return Insn{Flow: JumpReg}
	case rd == cpu.ARMLR && rm != cpu.ARMPC:
		return next(Effect{Kind: LosesLR})
	case rm == cpu.ARMSP && (rd == cpu.ARMR7 || rd == cpu.ARMFP):
		return next(setsFP(rd, 0))
	}
	return next(Effect{})
}

func thumbExchange(w uint32) Insn {
	switch {
	case w&0x80 != 0:
		return Insn{Flow: Call}
	case cpu.Reg(w>>3&0xf) == cpu.ARMLR:
		return Insn{Flow: Return}
	}
	return Insn{Flow: JumpReg}
}

func thumbStack(w uint32) Effect {
	low := w & 0xff
	switch w >> 8 {
	case 0xb4, 0xb5: // push, with lr
		return pushMask(low | w<<6&(1<<14))
	case 0xbc, 0xbd: // pop, with pc
		return popMask(low | w<<7&(1<<15))
	case 0xb0:
		bytes := int64(w&0x7f) * 4
		if w&0x80 != 0 { // sub sp, sp, #imm
			bytes = -bytes
		}
		return moves(bytes)
	case 0xaf: // add r7, sp, #imm
		return setsFP(cpu.ARMR7, int64(low)*4)
	case 0x37, 0x3f: // adds or subs r7, #imm
		return Effect{Kind: MovesFP, Base: cpu.ARMR7, Off: int64(low) * (1 - int64(w>>10&2))}
	}
	reg := cpu.Reg(w >> 8 & 7)
	switch w >> 11 {
	case 0x12: // str rt, [sp, #imm]
		return stores(int64(low)*4, reg)
	case 0x13: // ldr rt, [sp, #imm]
		return loads(int64(low)*4, reg)
	}
	return Effect{}
}
