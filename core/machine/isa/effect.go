package isa

import (
	"slices"

	"crashglass/core/machine/cpu"
)

// A Kind is what an instruction does to the stack.
type Kind uint8

const (
	// Nothing: sp does not change, and no register is saved on the stack.
	Nothing Kind = iota
	// Moves adds Move to sp.
	Moves
	// Stores adds Move to sp, and then stores Regs at sp+Off: push, str, stp, sw.
	Stores
	// Loads loads Regs from sp+Off, and then adds Move to sp: pop, ldr, ldp, lw.
	Loads
	// SetsSP sets sp to Base+Off, then loads Regs from there and adds Move to
	// sp. Only leave of x86 has registers.
	SetsSP
	// SetsFP sets Base, a frame pointer of the ABI, to sp+Off.
	SetsFP
	// MovesFP adds Off to Base, a frame pointer of the ABI: Thumb code does so before it sets sp to r7.
	MovesFP
	// CopiesLR sets Base to the link register, and SetsLR sets the link register to Base: PowerPC
	// stores and loads it through another register.
	CopiesLR
	SetsLR
	// LosesLR loads the link register from other memory than the stack pointer's, or copies another register to it: longjmp, and code of MIPS with a
	// frame pointer.
	LosesLR
	// Unreadable changes sp in an unknown way, or does one of the above only under a condition.
	Unreadable
)

// maxRegs is the maximum number of registers that one instruction stores: stm of all registers of
// ARM.
const maxRegs = 16

// An Effect is an instruction's change of sp, and the registers that it saves on the stack or
// restores.
type Effect struct {
	Kind      Kind
	Base      cpu.Reg
	Off, Move int64

	list  [maxRegs]cpu.Reg
	count uint8
}

// Regs are the registers that are stored or loaded, in the order of addresses,
// a word of the CPU apart. Those without a number, of floating point or
// constants, are cpu.None.
func (e *Effect) Regs() []cpu.Reg { return e.list[:e.count] }

// Has reports whether a register is stored or loaded.
func (e *Effect) Has(reg cpu.Reg) bool { return slices.Contains(e.Regs(), reg) }

func (e Effect) with(regs ...cpu.Reg) Effect {
	e.count += uint8(copy(e.list[e.count:], regs))
	return e
}

// withMask adds registers of a mask, the lowest one first.
func (e Effect) withMask(mask uint32) Effect {
	for reg := range cpu.Reg(maxRegs) {
		if mask>>reg&1 != 0 {
			e = e.with(reg)
		}
	}
	return e
}

func moves(n int64) Effect { return Effect{Kind: Moves, Move: n} }

func stores(off int64, regs ...cpu.Reg) Effect { return Effect{Kind: Stores, Off: off}.with(regs...) }

func loads(off int64, regs ...cpu.Reg) Effect { return Effect{Kind: Loads, Off: off}.with(regs...) }

func setsSP(from cpu.Reg, off int64) Effect { return Effect{Kind: SetsSP, Base: from, Off: off} }

func setsFP(fp cpu.Reg, off int64) Effect { return Effect{Kind: SetsFP, Base: fp, Off: off} }

// armSetsSP is setsSP of ARM. Clang copies r7 to r4 first: what another register is cannot be known.
func armSetsSP(from cpu.Reg, off int64) Effect {
	if from != cpu.ARMFP && from != cpu.ARMR7 {
		return unreadable
	}
	return setsSP(from, off)
}

// moving sets what is added to sp, before a store or after a load.
func (e Effect) moving(n int64) Effect {
	e.Move = n
	return e
}

var unreadable = Effect{Kind: Unreadable}

// losesLR makes the effect of an instruction that loads a register or copies another one to it. sp and lr are the CPU's.
func losesLR(rd, sp, lr cpu.Reg) Effect {
	if rd == lr {
		return Effect{Kind: LosesLR}
	}
	return unreadableIf(rd == sp)
}

// unreadableIf makes the effect of an instruction that may change sp.
func unreadableIf(changes bool) Effect {
	if changes {
		return unreadable
	}
	return Effect{}
}

// adds makes the effect of rd = rs + n on a CPU whose register 0 is a constant. sp and fp are its stack and frame pointer.
func adds(rd, rs cpu.Reg, n int64, sp, fp cpu.Reg) Effect {
	switch {
	case rd == sp && rs == sp:
		return moves(n)
	case rd == sp && rs != 0:
		return setsSP(rs, n)
	case rd == fp && rs == sp:
		return setsFP(rd, n)
	}
	return unreadableIf(rd == sp)
}
