package unwind

import "crashglass/core/cpu"

// maxEpilogue is how many instructions before a return are looked at.
const maxEpilogue = 16

// An armFrame is where a frame's registers are, as its code shows.
type armFrame struct {
	base  cpu.Reg // what the caller's stack pointer is computed from
	size  int64   // base + size is the caller's stack pointer
	saved [16]armSlot
}

// grows reports whether the caller's stack pointer is not below this one.
func (fr *armFrame) grows() bool { return fr.base != cpu.ARMSP || fr.size >= 0 }

// An armSlot is where a register is, from base.
type armSlot struct {
	known bool
	off   int64
}

// armByCode finds the caller of the innermost frame from its code alone: from
// the function's first instruction to the pc, or from the pc to a return, code
// goes on without a call or a jump, and all that happens to the stack there is
// understood. Where it may branch does not matter, because compilers keep the
// frame of an instruction the same however it is come to.
//
// Exception tables say nothing about prologues and epilogues.
func armByCode(w *walk, f *Frame, start, size uint64) (caller, outcome) {
	read := armStack
	if f.Regs.Value(cpu.ARMCPSR)&thumbBit != 0 {
		read = thumbStack
	}
	pc := f.Instruction &^ 1
	if fr, ok := w.untilReturn(read, pc, start, size); ok {
		w.say("the code from %#x on returns", pc)
		return fr.caller(w, f)
	}
	if fn, _, ok := w.functionAt(f.Module, f.Instruction); ok {
		start = max(start, f.Module.Base+fn.Start&^1)
	}
	if fr, ok := w.sinceEntry(read, start, pc); ok {
		w.say("the code from %#x to %#x has been executed in order", start, pc)
		return fr.caller(w, f)
	}
	return caller{}, none
}

// sinceEntry follows the code from a function's first instruction to pc.
// A callee-saved register that is stored for the first time still has its
// caller's value.
func (w *walk) sinceEntry(read func(uint32) stackInsn, start, pc uint64) (fr armFrame, ok bool) {
	fr.base = cpu.ARMSP
	if start > pc || pc-start > maxPrologue {
		return fr, false
	}
	at := start
	for at < pc {
		insn, ok := w.code(at)
		if !ok {
			return fr, false
		}
		e := read(insn)
		switch e.does {
		case nothing, mayBranch, loads:
		case pushes:
			fr.size += 4 * int64(ones(e.regs))
			fr.save(e.regs, -fr.size)
		case stores:
			fr.save(e.regs, e.bytes-fr.size)
		case moves:
			fr.size -= e.bytes
		default:
			return fr, false
		}
		at += e.size
	}
	fr.saved[cpu.ARMPC].known = false // where it is pushed, it is this function's
	for i := range fr.saved {         // from the stack pointer as it is now
		fr.saved[i].off += fr.size
	}
	return fr, at == pc && fr.grows()
}

// save notes where registers are stored, from the stack pointer on entry.
func (fr *armFrame) save(regs uint32, off int64) {
	for reg := range fr.saved {
		if regs&(1<<reg) == 0 {
			continue
		}
		if !fr.saved[reg].known {
			fr.saved[reg] = armSlot{true, off}
		}
		off += 4
	}
}

// untilReturn follows the code from pc to a return, or to a jump out of the
// size bytes at start: what is jumped to returns to the caller.
func (w *walk) untilReturn(read func(uint32) stackInsn, pc, start, size uint64) (fr armFrame, ok bool) {
	fr.base = cpu.ARMSP
	for range maxEpilogue {
		insn, ok := w.code(pc)
		if !ok {
			return fr, false
		}
		e := read(insn)
		if e.does == jumps && pc+uint64(e.bytes)-start >= size {
			return fr, fr.grows()
		}
		if pc += e.size; e.does >= pops && e.regs&(1<<cpu.ARMSP) != 0 {
			return fr, false
		}
		switch e.does {
		case nothing, mayBranch:
		case moves:
			fr.size += e.bytes
		case loads:
			fr.load(e.regs, fr.size+e.bytes)
		case pops:
			fr.load(e.regs, fr.size)
			fr.size += 4 * int64(ones(e.regs))
			if e.regs>>15 != 0 {
				return fr, fr.grows()
			}
		case takes:
			if fr.saved != [16]armSlot{} || e.from > cpu.ARMFP {
				return fr, false
			}
			fr.base, fr.size = e.from, -e.bytes
		case returns:
			return fr, fr.grows()
		default:
			return fr, false
		}
	}
	return fr, false
}

// load notes that registers are loaded. A later load counts.
func (fr *armFrame) load(regs uint32, off int64) {
	for reg := range fr.saved {
		if regs&(1<<reg) != 0 {
			fr.saved[reg] = armSlot{true, off}
			off += 4
		}
	}
}

func ones(mask uint32) (n int) {
	for ; mask != 0; mask &= mask - 1 {
		n++
	}
	return n
}

// caller reads the caller's registers.
func (fr *armFrame) caller(w *walk, f *Frame) (caller, outcome) {
	base, ok := f.Regs.Get(fr.base)
	if !ok {
		return caller{}, none
	}
	c := caller{trust: CFI, by: "code", regs: f.Regs.Keep(w.CalleeSaved)}
	for reg := range cpu.ARMSP {
		if s := fr.saved[reg]; s.known && w.CalleeSaved.Has(reg) {
			fr.restore(w, &c.regs, reg, base+uint64(s.off))
		}
	}
	ra, ok := fr.returnAddress(w, f, base)
	if !ok || !w.plausible(ra) {
		w.refuse("the return address %#x is none", ra)
		return caller{}, none
	}
	c.regs.Set(cpu.ARMPC, ra)
	c.regs.Set(cpu.ARMSP, (base+uint64(fr.size))&w.Mask())
	return c, found
}

func (fr *armFrame) restore(w *walk, regs *cpu.Regs, reg cpu.Reg, addr uint64) {
	if v, ok := w.word(addr); ok {
		regs.Set(reg, v)
	} else {
		regs.Forget(reg)
	}
}

// returnAddress is the saved pc or lr, or what the link register has.
func (fr *armFrame) returnAddress(w *walk, f *Frame, base uint64) (uint64, bool) {
	for _, reg := range []cpu.Reg{cpu.ARMPC, cpu.ARMLR} {
		if s := fr.saved[reg]; s.known {
			return w.word(base + uint64(s.off))
		}
	}
	return f.Regs.Get(cpu.ARMLR)
}
