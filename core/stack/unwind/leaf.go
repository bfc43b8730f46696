package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

// byReturnOnTop finds the caller after a jump to nowhere. A call through a bad pointer has just
// stored its return address: in the link register, or on top of the stack, where the word must be a
// return address behind the bytes of a call. Executable memory is not nowhere, because a JIT's code
// is a function.
//
// Both Breakpad and rust-minidump follow rbp instead, which is still the
// caller's own, and lose the caller.
func byReturnOnTop(w *walk, f *Frame) (decision, outcome) {
	if !f.Interrupted || w.in.Modules.At(f.Instruction) != nil || w.executable(f.Instruction) == yes || w.isGenerated(f.Instruction) {
		return decision{}, none
	}
	if w.LR != cpu.None {
		return w.entered(f, w.rules(Rule{CFA, At(w.RegName(w.SP), 0)}, Rule{RA, At(w.RegName(w.LR), 0)}))
	}
	ra, ok := w.word(f.spOf(w.SP))
	if _, called := w.callBefore(ra); !ok || !w.plausible(ra) || called != yes {
		w.say("no call precedes the word on top of the stack")
		return decision{}, none
	}
	return w.returnOnTop(f)
}

// returnOnTop returns the caller whose return address is on top of the stack.
func (w *walk) returnOnTop(f *Frame) (decision, outcome) {
	return w.entered(f, w.frameRules(w.RegName(w.SP), int64(w.Word)))
}

// entered is the decision that a call has just arrived here: every register has the caller's value.
func (w *walk) entered(f *Frame, rules []Rule) (decision, outcome) {
	d := decision{rules: rules, keep: f.Regs.Known(), trust: Leaf, way: ByLeaf}
	if w.LR != cpu.None {
		d.keep &^= cpu.SetOf(w.LR)
		d.way, d.samesp, d.again = ByLink, true, true
	}
	if c, ok := w.try(f, &d); !ok || !w.plausible(c.ReturnAddress) {
		w.refuse("%#x is no return address", c.ReturnAddress)
		return decision{}, none
	}
	return d, found
}

// returnInLink returns the caller of a function that has called nothing: its return address is in
// the link register. If the function has made its frame record already, the record has the other
// registers.
func (w *walk) returnInLink(f *Frame) (decision, outcome) {
	lr, ok := w.link(f)
	if !ok || !w.plausible(lr) {
		w.refuse("the link register %#x is no return address", lr)
		return decision{}, none
	}
	if l, rec, reg, ok := w.recordOf(f); ok && rec.ra == lr {
		return decision{rules: w.recordRules(reg, l), trust: FramePointer, way: ByFramePointer}, found
	}
	return w.leafReturn(f, lr, Leaf), found
}

// returnIsUntouched reports whether the return address is still where the call stored it: no if the
// function has called, unknown if neither symbols nor code show it.
func (w *walk) returnIsUntouched(f *Frame) answer {
	set := w.setOf(f)
	if set == nil {
		return unknown
	}
	pc := f.Instruction &^ uint64(set.Min-1)
	if insn, ok := w.insnAt(set, pc); ok && insn.Flow == isa.Return && insn.Stack.Kind == isa.Nothing {
		w.say("%#x is a return instruction", pc)
		return yes
	}
	fn, rel, ok := w.functionAt(f.Module, f.Instruction)
	if !ok || rel < fn.Start || fn.isPart() {
		return unknown
	}
	start := w.baseOf(f) + fn.Start&^uint64(set.Min-1)
	if pc == start {
		w.say("%#x is the function's first instruction", pc)
		return yes
	}
	if w.LR == cpu.None || pc-start > maxPrologue {
		return unknown
	}
	if lr, ok := w.link(f); ok && w.flowsTo(f, lr) {
		w.say("the code behind the link register %#x leads here: a call in a loop has returned", lr)
		return no
	}
	return w.callsNothing(set, start, pc)
}

// callsNothing reports whether the code from start up to pc has no call.
func (w *walk) callsNothing(set *isa.Set, start, pc uint64) answer {
	for at := start; at < pc; {
		insn, ok := w.insnAt(set, at)
		if !ok {
			return unknown
		}
		if insn.Flow == isa.Call {
			w.say("the code at %#x calls", at)
			return no
		}
		at += uint64(max(insn.Size, set.Min))
	}
	w.say("the code from %#x to %#x calls nothing", start, pc)
	return yes
}
