package unwind

import (
	"slices"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// Bounds of followed code: in bytes from a function's first instruction, and in instructions up to
// a return.
const (
	maxPrologue = 1024
	maxEpilogue = 16
)

// A codeFrame has the places of a frame's registers, by its code.
type codeFrame struct {
	w     *walk
	base  cpu.Reg  // the register that size counts from
	size  int64    // base + size is the stack pointer on entry
	saved []regOff // from the stack pointer on entry
	link  cpu.Reg  // the register with the return address, unless it is saved
	copy  cpu.Reg  // a register that the link register was copied to, or None
	made  bool     // the code has changed the stack
	moved int64    // added to the frame pointer before base was set from it
	lost  cpu.Set  // registers that were written, and not loaded since
}

type regOff struct {
	reg cpu.Reg
	off int64
}

func (fr *codeFrame) has(reg cpu.Reg) (int64, bool) {
	if i := fr.index(reg); i >= 0 {
		return fr.saved[i].off, true
	}
	return 0, false
}

// byEntry finds the caller of the innermost frame if code or symbols show the place of its return
// address. That is so at the function's first instruction, at a return, in a prologue or epilogue
// that can be followed, and on CPUs with a link register until the function calls.
//
// Symbols give the functions, and the dump the code: Breakpad's and Crashpad's clients save 256
// bytes around the pc.
func byEntry(w *walk, f *Frame) (decision, outcome) {
	if !f.Interrupted || w.isa == nil {
		return decision{}, none
	}
	start, size := f.Instruction, uint64(0)
	if fn, _, ok := w.functionAt(f.Module, f.Instruction); ok {
		start, size = w.baseOf(f)+w.even(fn.Start), fn.Size
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

// byFunctionCode finds the caller of the innermost frame from its code alone. From the function's
// first instruction to the pc, or from the pc to a return, the code must have no jump, and all its
// changes of the stack must be understood. Conditional branches do not matter, because compilers
// keep an instruction's frame the same on every path. Without these, branches are followed to a return.
func (w *walk) byFunctionCode(f *Frame, start, size uint64) (decision, outcome) {
	set := w.setOf(f)
	if set == nil || !f.Interrupted {
		return decision{}, none
	}
	pc := f.Instruction &^ uint64(set.Min-1)
	if w.inDelaySlot(set, pc) {
		return decision{}, none
	}
	if fr, ok := w.untilReturn(set, f, start, size); ok {
		w.say("the code from %#x on returns", pc)
		return fr.decide(f)
	}
	fn, _, named := w.functionAt(f.Module, f.Instruction)
	if named {
		start = max(start, w.baseOf(f)+w.even(fn.Start))
	}
	if named && !fn.isPart() || !named && size > 0 { // the function's start is known
		if fr, ok := w.sinceEntry(set, start, pc, named && !fn.Public && fn.Size > 0); ok {
			w.say("the code from %#x to %#x has been executed in order", start, pc)
			return fr.decide(f)
		}
	}
	if f.Module == nil {
		return decision{}, none // what surrounds a program's own code may be its data
	}
	if fr, ok := w.alongPath(set, f); ok {
		return fr.decide(f)
	}
	return decision{}, none
}

// inDelaySlot reports whether execution continues where the branch before an instruction leads.
func (w *walk) inDelaySlot(set *isa.Set, pc uint64) bool {
	if !w.delaySlot {
		return false
	}
	before, ok := w.insnAt(set, pc-4)
	return ok && before.Delay
}

// entry returns the frame at a function's first instruction.
func (w *walk) entry() codeFrame { return codeFrame{w: w, base: w.SP, link: w.LR, copy: cpu.None} }

// sinceEntry follows the code from a function's first instruction to pc. The first store of a
// register stores the caller's value. If the function's end is unknown, the code after a call or a
// trap may belong to another function.
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

// enter follows one instruction. It reports false for one that ends a block, or that changes the
// stack in an unknown way.
func (fr *codeFrame) enter(insn *isa.Insn) bool {
	switch insn.Flow {
	case isa.Next, isa.CondBranch, isa.Trap:
	case isa.Call:
		if _, saved := fr.has(fr.w.LR); fr.w.LR != cpu.None && !saved || fr.w.takesArgs {
			return false // the return address is lost, or the stack pointer is unknown
		}
	default:
		return false
	}
	switch e := &insn.Stack; e.Kind {
	case isa.Nothing, isa.SetsFP, isa.MovesFP:
	case isa.LosesLR:
		_, saved := fr.has(fr.w.LR)
		return saved
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

// save records the place where a register is stored. The first store counts. On ARM pc may be
// stored, which is this function's own.
func (fr *codeFrame) save(reg cpu.Reg, off int64) {
	if reg != cpu.None && reg == fr.copy {
		reg = fr.w.LR
	}
	if _, ok := fr.has(reg); !ok && reg != cpu.None && reg != fr.w.PC {
		fr.saved = append(fr.saved, regOff{reg, off})
	}
}

// untilReturn follows the code from pc to a return, or to a jump out of the size bytes at start:
// the target of such a tail call returns to the caller.
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

// calledBack reports whether a call in this function has left the value of the link register, and
// no load on the way to a jump replaced it. The jump then goes to an outlined epilogue, which loads
// it, and not to another function.
func (w *walk) calledBack(f *Frame, fr *codeFrame) bool {
	lr, ok := w.link(f)
	_, loaded := fr.has(w.LR)
	return ok && !loaded && fr.link == w.LR && w.inSameFunction(f.Instruction, lr)
}

// mayBegin reports whether a function can begin at an address: it is not within another one, nor a
// part that continues with another one's frame.
func (w *walk) mayBegin(addr uint64) bool {
	fn, rel, ok := w.functionAt(w.moduleAt(addr), addr)
	return !ok || fn.Public || rel == w.even(fn.Start) && !fn.isPart()
}

// leaves follows the last instruction, and the one in its delay slot.
func (fr *codeFrame) leaves(set *isa.Set, insn *isa.Insn, pc uint64) bool {
	if insn.Delay {
		slot, ok := fr.w.insnAt(set, pc+4)
		return ok && slot.Flow == isa.Next && fr.leave(&slot) && fr.grows()
	}
	if fr.w.LR == cpu.None && insn.Stack.Kind == isa.Loads {
		return fr.grows() // the stack pointer has its value on entry; the return may pop arguments
	}
	return fr.leave(insn) && fr.grows()
}

// grows reports whether the caller's stack pointer is not below this one, and the place of the return address is known.
func (fr *codeFrame) grows() bool {
	_, loaded := fr.has(fr.w.PC)
	return (fr.base != fr.w.SP || fr.size >= 0) && (loaded || fr.w.LR == cpu.None || !fr.lost.Has(fr.w.LR))
}

// leave follows one instruction of an epilogue.
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
		fr.base, fr.size = e.Base, e.Off+fr.moved
		fr.load(e, fr.size)
	case isa.MovesFP:
		fr.moved += e.Off
		return true
	case isa.LosesLR:
		fr.lost |= cpu.SetOf(fr.w.LR)
		return true
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

// setLR records that the link register is set from another register, which may have been loaded
// before.
func (fr *codeFrame) setLR(reg cpu.Reg) {
	if n := fr.index(reg); n >= 0 {
		fr.saved[n].reg = fr.w.LR
	} else {
		fr.link = reg
	}
}

// fromEntry returns the frame with offsets from the stack pointer on entry.
func (fr *codeFrame) fromEntry() codeFrame {
	for i := range fr.saved {
		fr.saved[i].off -= fr.size
	}
	return *fr
}

// load records that registers are loaded from an offset on. The last load counts.
func (fr *codeFrame) load(e *isa.Effect, off int64) {
	for i, reg := range e.Regs() {
		at := regOff{reg, off + int64(i*fr.w.Word)}
		if reg == cpu.None {
			continue
		}
		fr.lost &^= cpu.SetOf(reg)
		if n := fr.index(reg); n >= 0 {
			fr.saved[n] = at
		} else {
			fr.saved = append(fr.saved, at)
		}
	}
}

func (fr *codeFrame) index(reg cpu.Reg) int {
	return slices.IndexFunc(fr.saved, func(s regOff) bool { return s.reg == reg })
}

// decide makes a decision from a frame. It fails if the return address is not plausible, because
// then the code was misread.
func (fr *codeFrame) decide(f *Frame) (decision, outcome) {
	w := fr.w
	d := decision{trust: CFI, way: ByCode, keep: w.CalleeSaved &^ fr.lost, samesp: w.LR != cpu.None}
	above := int64(0) // the distance from the stack pointer on entry to the CFA
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

// returnAddress returns the place of the return address: the top of the stack, the place of the
// saved pc or link register, the link register, or the register that it is set from.
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

// byCallerCode finds the caller of a function that has called another, if its code from its first
// instruction to the call shows where it saved its return address. It runs before the stack scan:
// glibc's abort has no unwind rules on ARM and RISC-V, and gdb analyzes its prologue, too.
func byCallerCode(w *walk, f *Frame) (decision, outcome) {
	set := w.setAt(f.ReturnAddress)
	fn, _, named := w.functionAt(f.Module, f.Instruction)
	if f.Interrupted || set == nil || w.LR == cpu.None || !named || fn.isPart() {
		return decision{}, none
	}
	start, pc := w.baseOf(f)+w.even(fn.Start), w.even(f.ReturnAddress)
	if pc-start > max(fn.Size, fn.Stated) {
		return decision{}, none
	}
	fr, ok := w.sinceEntry(set, start, pc, true)
	if _, saved := fr.has(w.LR); !ok || !saved {
		return decision{}, none
	}
	w.say("the code from %#x to %#x has been executed in order", start, pc)
	return fr.decide(f)
}
