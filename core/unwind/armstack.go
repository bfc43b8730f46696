package unwind

import "crashglass/core/cpu"

// A stackInsn is what one instruction does to the stack pointer, and which
// registers it saves there or brings back.
type stackInsn struct {
	size  uint64
	does  stackDoing
	regs  uint32 // those that are stored or loaded, the lowest at the lowest address
	bytes int64  // by which the stack pointer grows, for moves; elsewhere the offset from it
	from  cpu.Reg
}

type stackDoing uint8

const (
	nothing    stackDoing = iota // that matters here
	pushes                       // registers, lowering the stack pointer by four bytes each
	pops                         // the other way round
	moves                        // the stack pointer
	stores                       // registers at an offset from it
	loads                        // from there
	takes                        // its value from another register, minus bytes
	returns                      // through the link register
	branches                     // somewhere
	mayBranch                    // under a condition, or goes on behind
	jumps                        // to a place bytes away, for good
	unreadable                   // something to the stack pointer that is not understood
)

// armStack reads an A32 instruction. What matters and is done under a
// condition, which may not hold, is unreadable.
func armStack(insn uint32) stackInsn {
	e := armAlways(insn)
	switch {
	case insn>>28 == 0xe, e.does == nothing && insn>>28 != 0xf:
	case insn>>28 != 0xf && e.leaves():
		e = stackInsn{does: mayBranch}
	case insn>>24 == 0xf4 && insn>>16&0xf == 13 && insn&0xf != 15: // vectors that move the stack pointer
		e = stackInsn{does: unreadable}
	case insn>>28 != 0xf:
		e = stackInsn{does: unreadable}
	case insn>>25 == 0x7d: // blx
		e = stackInsn{does: branches}
	default:
		e = stackInsn{}
	}
	e.size = 4
	return e
}

// leaves reports whether an instruction ends the function, or jumps in it.
func (e stackInsn) leaves() bool {
	return e.does == returns || e.does == jumps || e.does == pops && e.regs>>15 != 0
}

// armAlways ignores the condition. Arm ARM, section F4.1.
func armAlways(insn uint32) stackInsn {
	rt := insn >> 12 & 0xf
	imm8 := int64(insn>>4&0xf0 | insn&0xf)
	imm12 := int64(insn & 0xfff)
	up := int64(1)
	if insn>>23&1 == 0 {
		up = -1
	}
	switch {
	case insn&0x0fff0000 == 0x092d0000: // stmdb sp!
		return stackInsn{does: pushes, regs: insn & 0xffff}
	case insn&0x0fff0000 == 0x08bd0000: // ldmia sp!
		return stackInsn{does: pops, regs: insn & 0xffff}
	case insn&0x0fff0fff == 0x052d0004: // str rt, [sp, #-4]!
		return stackInsn{does: pushes, regs: 1 << rt}
	case insn&0x0fff0fff == 0x049d0004: // ldr rt, [sp], #4
		return stackInsn{does: pops, regs: 1 << rt}
	case insn&0x0f7f0000 == 0x050d0000: // str rt, [sp, #imm]
		return stackInsn{does: stores, regs: 1 << rt, bytes: up * imm12}
	case insn&0x0f7f0000 == 0x051d0000 && rt != 15: // ldr rt, [sp, #imm]
		return stackInsn{does: loads, regs: 1 << rt, bytes: up * imm12}
	case insn&0x0f7f00f0 == 0x014d00f0: // strd rt, [sp, #imm]
		return stackInsn{does: stores, regs: 3 << rt, bytes: up * imm8}
	case insn&0x0f7f00f0 == 0x014d00d0: // ldrd rt, [sp, #imm]
		return stackInsn{does: loads, regs: 3 << rt, bytes: up * imm8}
	case insn&0x0ffff000 == 0x024dd000: // sub sp, sp, #imm
		return stackInsn{does: moves, bytes: -rotated(insn)}
	case insn&0x0ffff000 == 0x028dd000: // add sp, sp, #imm
		return stackInsn{does: moves, bytes: rotated(insn)}
	case insn&0x0fbf0e00 == 0x0d2d0a00: // vpush
		return stackInsn{does: moves, bytes: -4 * int64(insn&0xff)}
	case insn&0x0fbf0e00 == 0x0cbd0a00: // vpop
		return stackInsn{does: moves, bytes: 4 * int64(insn&0xff)}
	case insn&0x0ffffff0 == 0x01a0d000: // mov sp, rm
		return stackInsn{does: takes, from: cpu.Reg(insn & 0xf)}
	case insn&0x0ff0f000 == 0x0240d000: // sub sp, rn, #imm
		return stackInsn{does: takes, from: cpu.Reg(insn >> 16 & 0xf), bytes: rotated(insn)}
	case insn&0x0fffffff == 0x012fff1e: // bx lr
		return stackInsn{does: returns}
	case insn&0x0f000000 == 0x0a000000: // b
		return stackInsn{does: jumps, bytes: int64(int32(insn<<8)>>6) + 8}
	}
	return stackInsn{does: armOther(insn)}
}

// rotated is an A32 immediate.
func rotated(insn uint32) int64 {
	v, by := insn&0xff, insn>>7&0x1e
	return int64(v>>by | v<<(32-by))
}

// armOther finds branches and what else changes the stack pointer.
func armOther(insn uint32) stackDoing {
	rd, rn := insn>>12&0xf, insn>>16&0xf
	op := insn >> 25 & 7
	switch {
	case op == 5, insn&0x0f000000 == 0x0f000000, insn&0x0ffffff0 == 0x012fff10, insn&0x0ffffff0 == 0x012fff30:
		return branches // b, bl; svc; bx; blx
	case op == 4: // ldm, stm
		if insn>>21&1 != 0 && rn == 13 || insn>>20&1 != 0 && insn&(1<<13) != 0 {
			return unreadable
		}
		if insn>>20&1 != 0 && insn&(1<<15) != 0 {
			return branches
		}
		return nothing
	case op == 2 || op == 3 && insn&0x10 == 0 || op == 0 && insn&0x90 == 0x90: // loads and stores
		if rn == 13 && (insn>>24&1 == 0 || insn>>21&1 != 0) || rd == 13 {
			return unreadable
		}
		if rd == 15 && insn>>20&1 != 0 {
			return branches
		}
		return nothing
	case op < 2: // data processing
		if insn>>23&3 == 2 && insn>>20&1 != 0 { // tst, teq, cmp, cmn
			return nothing
		}
		return writes(rd)
	case op == 6 && rn == 13 && insn>>21&1 != 0: // vector loads and stores that move the stack pointer
		return unreadable
	}
	return nothing
}

// writes is what it means that an instruction writes a register.
func writes(rd uint32) stackDoing {
	switch rd {
	case 13:
		return unreadable
	case 15:
		return branches
	}
	return nothing
}
