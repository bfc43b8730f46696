package unwind

import "crashglass/core/cpu"

// thumbStack reads a T32 instruction, whose first halfword is the lower one.
// What an IT instruction makes conditional is not followed.
func thumbStack(insn uint32) stackInsn {
	if thumb.size(insn) == 4 {
		e := thumbWide(insn<<16 | insn>>16)
		e.size = 4
		return e
	}
	e := thumbNarrow(insn & 0xffff)
	e.size = 2
	return e
}

// thumbNarrow reads an instruction of 16 bits. Arm ARM, section F3.1.
func thumbNarrow(insn uint32) stackInsn {
	low := insn & 0xff
	switch insn >> 8 {
	case 0xb4, 0xb5: // push, with lr
		return stackInsn{does: pushes, regs: low | insn<<6&(1<<14)}
	case 0xbc, 0xbd: // pop, with pc
		return stackInsn{does: pops, regs: low | insn<<7&(1<<15)}
	case 0xb0:
		bytes := int64(insn&0x7f) * 4
		if insn&0x80 != 0 { // sub sp, sp, #imm
			bytes = -bytes
		}
		return stackInsn{does: moves, bytes: bytes}
	case 0x46: // mov between any registers
		switch rd := insn>>4&8 | insn&7; rd {
		case 13:
			return stackInsn{does: takes, from: cpu.Reg(insn >> 3 & 0xf)}
		case 15:
			return stackInsn{does: branches}
		}
		return stackInsn{}
	case 0x44: // add between any registers
		return stackInsn{does: writes(insn>>4&8 | insn&7)}
	case 0x47:
		if insn == 0x4770 {
			return stackInsn{does: returns}
		}
		return stackInsn{does: branches}
	case 0xb1, 0xb3, 0xb9, 0xbb: // cbz, cbnz
		return stackInsn{does: mayBranch}
	case 0xbf: // it
		if insn&0xf == 0 { // nop and its kin
			return stackInsn{}
		}
		return stackInsn{does: branches}
	}
	reg := uint32(1) << (insn >> 8 & 7)
	switch insn >> 11 {
	case 0x12: // str rt, [sp, #imm]
		return stackInsn{does: stores, regs: reg, bytes: int64(low) * 4}
	case 0x13: // ldr rt, [sp, #imm]
		return stackInsn{does: loads, regs: reg, bytes: int64(low) * 4}
	case 0x1a, 0x1b: // b under a condition; udf, svc
		if insn>>9&7 != 7 {
			return stackInsn{does: mayBranch}
		}
		return stackInsn{does: branches}
	case 0x1c: // b
		return stackInsn{does: jumps, bytes: int64(int32(insn<<21)>>20) + 4}
	}
	return stackInsn{}
}

// thumbWide reads an instruction of 32 bits, first halfword uppermost.
// Arm ARM, section F3.2.
func thumbWide(insn uint32) stackInsn {
	rt, rd := insn>>12&0xf, insn>>8&0xf
	imm8 := int64(insn & 0xff)
	up := int64(1)
	if insn>>23&1 == 0 {
		up = -1
	}
	pair := uint32(1)<<rt | 1<<rd
	switch {
	case insn>>16 == 0xe92d: // stmdb sp!
		return stackInsn{does: pushes, regs: insn & 0xffff}
	case insn>>16 == 0xe8bd: // ldmia sp!
		return stackInsn{does: pops, regs: insn & 0xffff}
	case insn&0xffff0fff == 0xf84d0d04: // str rt, [sp, #-4]!
		return stackInsn{does: pushes, regs: 1 << rt}
	case insn&0xffff0fff == 0xf85d0b04: // ldr rt, [sp], #4
		return stackInsn{does: pops, regs: 1 << rt}
	case insn>>16 == 0xf8cd: // str rt, [sp, #imm]
		return stackInsn{does: stores, regs: 1 << rt, bytes: int64(insn & 0xfff)}
	case insn>>16 == 0xf8dd && rt != 15: // ldr rt, [sp, #imm]
		return stackInsn{does: loads, regs: 1 << rt, bytes: int64(insn & 0xfff)}
	case insn>>16&^0x80 == 0xe94d && rt < rd: // strd rt, rd, [sp, #imm]
		return stackInsn{does: stores, regs: pair, bytes: up * imm8 * 4}
	case insn>>16&^0x80 == 0xe95d && rt < rd: // ldrd rt, rd, [sp, #imm]
		return stackInsn{does: loads, regs: pair, bytes: up * imm8 * 4}
	case insn&0xfbff8f00 == 0xf1ad0d00: // sub.w sp, sp, #imm
		return stackInsn{does: moves, bytes: -thumbImmediate(insn)}
	case insn&0xfbff8f00 == 0xf10d0d00: // add.w sp, sp, #imm
		return stackInsn{does: moves, bytes: thumbImmediate(insn)}
	case insn&0xfbff8f00 == 0xf2ad0d00: // subw sp, sp, #imm
		return stackInsn{does: moves, bytes: -thumbPlain(insn)}
	case insn&0xfbff8f00 == 0xf20d0d00: // addw sp, sp, #imm
		return stackInsn{does: moves, bytes: thumbPlain(insn)}
	case insn&0xffbf0e00 == 0xed2d0a00: // vpush
		return stackInsn{does: moves, bytes: -4 * imm8}
	case insn&0xffbf0e00 == 0xecbd0a00: // vpop
		return stackInsn{does: moves, bytes: 4 * imm8}
	case insn&0xf800d000 == 0xf0008000 && insn>>23&7 != 7: // b under a condition
		return stackInsn{does: mayBranch}
	case insn&0xf800d000 == 0xf0009000: // b
		return stackInsn{does: jumps, bytes: thumbJump(insn) + 4}
	}
	return stackInsn{does: thumbOther(insn)}
}

// thumbJump is the distance of a branch of 32 bits: S, I1, I2, imm10, imm11, 0.
func thumbJump(insn uint32) int64 {
	s := insn >> 26 & 1
	i1, i2 := ^(insn>>13^s)&1, ^(insn>>11^s)&1
	v := s<<24 | i1<<23 | i2<<22 | insn>>16&0x3ff<<12 | insn&0x7ff<<1
	return int64(int32(v<<7) >> 7)
}

// thumbPlain is an immediate of 12 bits.
func thumbPlain(insn uint32) int64 {
	return int64(insn>>15&0x800 | insn>>4&0x700 | insn&0xff)
}

// thumbImmediate is a modified immediate. Arm ARM, section F2.2.
func thumbImmediate(insn uint32) int64 {
	imm, low := uint32(thumbPlain(insn)), insn&0xff
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

// thumbOther finds branches and what else changes the stack pointer.
func thumbOther(insn uint32) stackDoing {
	rn, rt, rd := insn>>16&0xf, insn>>12&0xf, insn>>8&0xf
	load := insn>>20&1 != 0
	switch {
	case insn&0xf8008000 == 0xf0008000: // b, bl, blx and system instructions
		return branches
	case insn&0xfff0fff0 == 0xe8d0f000: // tbb; tbh has another last bit but one
		return branches
	case insn&0xfe400000 == 0xe8000000: // ldm, stm
		if insn>>21&1 != 0 && rn == 13 || load && insn&(1<<13) != 0 {
			return unreadable
		}
		if load && insn&(1<<15) != 0 {
			return branches
		}
		return nothing
	case insn&0xfe400000 == 0xe8400000: // pairs, exclusive ones, tables of branches
		if rn == 13 && insn>>21&1 != 0 || load && (rt == 13 || rd == 13) {
			return unreadable
		}
		if insn&0xfff000e0 == 0xe8d00000 {
			return branches
		}
		return nothing
	case insn&0xfe000000 == 0xf8000000: // single loads and stores
		moved := insn>>23&1 == 0 && insn&0x900 == 0x900
		if insn>>24 == 0xf9 && !load { // vectors
			moved = insn&0xf != 15
		}
		if rn == 13 && moved || load && rt == 13 {
			return unreadable
		}
		if load && rt == 15 && insn>>21&3 == 2 {
			return branches
		}
		return nothing
	case insn&0xee000000 == 0xec000000: // coprocessors: vectors
		if rn == 13 && insn>>21&1 != 0 && insn>>25&1 == 0 {
			return unreadable
		}
		return nothing
	}
	if rd == 13 { // data processing
		return unreadable
	}
	return nothing
}
