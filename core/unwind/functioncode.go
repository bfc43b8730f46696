package unwind

import (
	"crashglass/core/cpu"
	"crashglass/core/isa"
)

// Bounds of the code that is followed: from a function's first instruction, in
// bytes, and up to a return, in instructions.
const (
	maxPrologue = 1024
	maxEpilogue = 16
)

// A codeFrame is where a frame's registers are, as its code shows.
type codeFrame struct {
	w     *walk
	base  cpu.Reg  // what size is counted from
	size  int64    // base + size is the stack pointer as it was on entry
	saved []regOff // from the stack pointer on entry
	link  cpu.Reg  // what has the return address, unless it is saved: the link register or another
	copy  cpu.Reg  // a register that the link register was copied to, or None
	made  bool     // something was done to the stack
}

// A regOff is where a register is.
type regOff struct {
	reg cpu.Reg
	off int64
}

func (fr *codeFrame) has(reg cpu.Reg) (int64, bool) {
	for _, s := range fr.saved {
		if s.reg == reg {
			return s.off, true
		}
	}
	return 0, false
}

// byEntry finds the caller of the innermost frame where its code or its symbols
// show where its return address is: at the function's first instruction, at a
// return, in a prologue or epilogue that can be followed, and on CPUs with a
// link register as long as the function has called nothing.
//
// Functions are known by their symbols, and code where it was captured:
// Breakpad's and Crashpad's clients save 256 bytes around the pc.
func byEntry(w *walk, f *Frame) (decision, outcome) {
	if !f.interrupted || w.isa == nil {
		return decision{}, none
	}
	start, size := f.Instruction, uint64(0)
	if fn, _, ok := w.functionAt(f.Module, f.Instruction); ok {
		start, size = f.Module.Base+w.even(fn.Start), fn.Size
	}
	if d, out := w.byFunctionCode(f, start, size); out != none {
		return d, out
	}
	if w.returnIsUntouched(f) != yes {
		return decision{}, none
	}
	if w.LR == cpu.None {
		return w.returnOnTop(f)
	}
	return w.returnInLink(f)
}

// byFunctionCode finds the caller of the innermost frame from its code alone:
// from the function's first instruction to the pc, or from the pc to a return,
// code goes on without a jump, and all that happens to the stack there is
// understood. Where it may branch does not matter, because compilers keep the
// frame of an instruction the same however it is come to.
func (w *walk) byFunctionCode(f *Frame, start, size uint64) (decision, outcome) {
	set := w.setOf(f)
	if set == nil || !f.interrupted {
		return decision{}, none
	}
	pc := f.Instruction &^ uint64(set.Min-1)
	if fr, ok := w.untilReturn(set, f, start, size); ok {
		w.say("the code from %#x on returns", pc)
		return fr.decide(f)
	}
	fn, _, named := w.functionAt(f.Module, f.Instruction)
	switch {
	case named && fn.isPart(), !named && size == 0:
		return decision{}, none // nothing says where the function begins
	case named:
		start = max(start, f.Module.Base+w.even(fn.Start))
	}
	if fr, ok := w.sinceEntry(set, start, pc, named && !fn.Public && fn.Size > 0); ok {
		w.say("the code from %#x to %#x has been executed in order", start, pc)
		return fr.decide(f)
	}
	return decision{}, none
}

// entry is the frame at a function's first instruction.
func (w *walk) entry() codeFrame { return codeFrame{w: w, base: w.SP, link: w.LR, copy: cpu.None} }

// sinceEntry follows the code from a function's first instruction to pc.
// A register that is stored for the first time still has its caller's value.
// Where the function's end is not known, what follows a call or a trap may be
// another function's.
func (w *walk) sinceEntry(set *isa.Set, start, pc uint64, whole bool) (codeFrame, bool) {
	fr := w.entry()
	if start > pc || pc-start > maxPrologue {
		return fr, false
	}
	at := start
	for at < pc {
		insn, ok := w.insnAt(set, at)
		if !ok || !whole && (insn.Flow == isa.Call || insn.Flow == isa.Trap) || !fr.enter(&insn) {
			return fr, false
		}
		at += uint64(insn.Size)
	}
	return fr, at == pc && fr.size >= 0
}

// enter goes on by one instruction. It reports false for what ends a block, and
// for what is done to the stack and not understood.
func (fr *codeFrame) enter(insn *isa.Insn) bool {
	switch insn.Flow {
	case isa.Next, isa.CondBranch, isa.Trap:
	case isa.Call:
		if _, saved := fr.has(fr.w.LR); fr.w.LR != cpu.None && !saved || fr.w.takesArgs {
			return false // the return address is gone, or the stack pointer is not known
		}
	default:
		return false
	}
	switch e := &insn.Stack; e.Kind {
	case isa.Nothing, isa.SetsFP:
	case isa.CopiesLR:
		fr.copy = e.Base
	case isa.Moves:
		fr.size -= e.Move
		fr.made = true
	case isa.Stores:
		fr.size -= e.Move
		fr.made = true
		for i, reg := range e.Regs() {
			fr.save(reg, e.Off-fr.size+int64(i*fr.w.Word))
		}
	case isa.Loads:
		return e.Move == 0
	default:
		return false
	}
	return insn.Size > 0
}

// save notes where a register is stored. The first store counts. On ARM pc may
// be stored, which is this function's.
func (fr *codeFrame) save(reg cpu.Reg, off int64) {
	if reg != cpu.None && reg == fr.copy {
		reg = fr.w.LR
	}
	if _, ok := fr.has(reg); !ok && reg != cpu.None && reg != fr.w.PC {
		fr.saved = append(fr.saved, regOff{reg, off})
	}
}

// untilReturn follows the code from pc to a return, or to a jump out of the
// size bytes at start: what is jumped to returns to the caller.
func (w *walk) untilReturn(set *isa.Set, f *Frame, start, size uint64) (codeFrame, bool) {
	fr, pc := w.entry(), f.Instruction&^uint64(set.Min-1)
	for range maxEpilogue {
		insn, ok := w.insnAt(set, pc)
		if !ok || insn.Size == 0 {
			return fr, false
		}
		switch {
		case insn.Flow == isa.Jump && insn.HasTarget && !insn.Delay && size > 0 && insn.Target-start >= size:
			return fr.fromEntry(), w.mayBegin(insn.Target) && !w.calledBack(f, &fr) && fr.grows()
		case insn.Flow == isa.Return:
			ok := fr.leaves(set, &insn, pc)
			return fr.fromEntry(), ok
		case insn.Flow != isa.Next && insn.Flow != isa.CondBranch || !fr.leave(&insn):
			return fr, false
		}
		pc += uint64(insn.Size)
	}
	return fr, false
}

// calledBack reports whether the link register was not loaded on the way to a
// jump, and is what a call in this function has left. An outlined epilogue,
// which loads it, is jumped to like another function.
func (w *walk) calledBack(f *Frame, fr *codeFrame) bool {
	lr, ok := w.link(f)
	_, loaded := fr.has(w.LR)
	return ok && !loaded && fr.link == w.LR && w.inSameFunction(f.Instruction, lr)
}

// mayBegin reports whether a function can begin at an address: it is not in the
// middle of another one, nor a part that goes on with another one's frame.
func (w *walk) mayBegin(addr uint64) bool {
	fn, rel, ok := w.functionAt(w.moduleAt(addr), addr)
	return !ok || fn.Public || rel == w.even(fn.Start) && !fn.isPart()
}

// leaves takes the last instruction, and the one in its delay slot.
func (fr *codeFrame) leaves(set *isa.Set, insn *isa.Insn, pc uint64) bool {
	if insn.Delay {
		slot, ok := fr.w.insnAt(set, pc+4)
		return ok && slot.Flow == isa.Next && fr.leave(&slot) && fr.grows()
	}
	if fr.w.LR == cpu.None && insn.Stack.Kind == isa.Loads {
		return fr.grows() // the stack pointer is as it was on entry; arguments may be taken off with the return address
	}
	return fr.leave(insn) && fr.grows()
}

// grows reports whether the caller's stack pointer is not below this one.
func (fr *codeFrame) grows() bool { return fr.base != fr.w.SP || fr.size >= 0 }

// leave goes on by one instruction of an epilogue.
func (fr *codeFrame) leave(insn *isa.Insn) bool {
	e := &insn.Stack
	if e.Kind != isa.Nothing && e.Has(fr.w.SP) {
		return false
	}
	switch e.Kind {
	case isa.Nothing:
		return true
	case isa.SetsLR:
		fr.setLR(e.Base)
	case isa.SetsSP:
		if len(fr.saved) > 0 || e.Base == cpu.None || !fr.w.CalleeSaved.Has(e.Base) {
			return false
		}
		fr.base, fr.size = e.Base, e.Off
		fr.load(e, fr.size)
	case isa.Moves:
	case isa.Loads:
		fr.load(e, fr.size+e.Off)
	default:
		return false
	}
	fr.made = true
	fr.size += e.Move
	return true
}

// setLR notes that the link register is set from a register, which may have been
// loaded before.
func (fr *codeFrame) setLR(reg cpu.Reg) {
	if n := fr.index(reg); n >= 0 {
		fr.saved[n].reg = fr.w.LR
	} else {
		fr.link = reg
	}
}

// fromEntry is the frame with its registers counted from the stack pointer on entry.
func (fr *codeFrame) fromEntry() codeFrame {
	for i := range fr.saved {
		fr.saved[i].off -= fr.size
	}
	return *fr
}

// load notes that registers are loaded from an offset on. A later load counts.
func (fr *codeFrame) load(e *isa.Effect, off int64) {
	for i, reg := range e.Regs() {
		at := regOff{reg, off + int64(i*fr.w.Word)}
		if reg == cpu.None {
			continue
		}
		if n := fr.index(reg); n >= 0 {
			fr.saved[n] = at
		} else {
			fr.saved = append(fr.saved, at)
		}
	}
}

func (fr *codeFrame) index(reg cpu.Reg) int {
	for i, s := range fr.saved {
		if s.reg == reg {
			return i
		}
	}
	return -1
}

// decide makes a decision of a frame. A frame whose return address is none was
// misunderstood.
func (fr *codeFrame) decide(f *Frame) (decision, outcome) {
	w := fr.w
	d := decision{trust: CFI, way: ByCode, keep: w.CalleeSaved, samesp: w.LR != cpu.None}
	above := int64(0) // from the stack pointer on entry to the CFA
	if w.LR == cpu.None {
		above = int64(w.Word)
	}
	d.rules = append(make([]Rule, 0, 2+len(fr.saved)), Rule{CFA, At(w.RegName(fr.base), fr.size+above)}, Rule{RA, fr.returnAddress(above)})
	for _, s := range fr.saved {
		if w.CalleeSaved.Has(s.reg) {
			d.rules = append(d.rules, Rule{w.RegName(s.reg), Word(CFA, s.off-above)})
		}
	}
	if !fr.made {
		d.trust, d.way, d.again = Leaf, ByLink, true
		if w.LR == cpu.None {
			d.way, d.again = ByLeaf, false
		}
	}
	if c, ok := w.try(f, &d); !ok || !w.plausible(c.ReturnAddress) {
		w.refuse("the return address %#x is none", c.ReturnAddress)
		return decision{}, none
	}
	return d, found
}

// returnAddress is on top of the stack, or where pc or the link register is
// saved, or in the link register or the one that it is set from.
func (fr *codeFrame) returnAddress(above int64) Value {
	w := fr.w
	if w.LR == cpu.None {
		return Word(CFA, -above)
	}
	for _, reg := range []cpu.Reg{w.PC, w.LR} {
		if off, ok := fr.has(reg); ok {
			return Word(CFA, off)
		}
	}
	return At(w.RegName(fr.link), 0)
}
