package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// byLinkRegister finds the caller on CPUs with a link register, if neither rules nor code show it.
//
// The innermost function may be a leaf: it has stored nothing, its return address is in the link
// register, and the frame pointer is its caller's. Or it has a frame record, and a call that has
// returned left the value of the link register. Breakpad always assumes the first, rust-minidump
// the second, and each loses or invents a frame in the other case. This method checks both.
func byLinkRegister(w *walk, f *Frame) (decision, outcome) {
	lr, ok := w.link(f)
	if !ok || !f.Interrupted && (f.Trust != CFI || lr == f.ReturnAddress) {
		return decision{}, none // after a call the link register holds an address in this function, or anything
	}
	if w.stale(f, lr) {
		return decision{}, none
	}
	w.say("the link register %#x is this function's return address: it is a leaf", lr)
	return w.leafReturn(f, lr, FramePointer), found
}

// leafReturn is the decision that the link register holds the return address. The frame pointer is
// the caller's. The stack pointer and the other registers are the caller's only if the caller's
// rules agree, because the leaf may have made room on the stack and saved registers there.
func (w *walk) leafReturn(f *Frame, lr uint64, trust Trust) decision {
	d := decision{trust: trust, way: ByLink, samesp: true, again: true}
	link := Rule{RA, At(w.RegName(w.LR), 0)}
	if w.spHolds(f, lr) {
		w.say("the caller's rules lead on from this stack pointer")
		d.keep, d.rules = w.CalleeSaved, w.rules(Rule{CFA, At(w.RegName(w.SP), 0)}, link)
		return d
	}
	w.say("whether the leaf has moved the stack pointer is not known")
	d.rules = w.rules(link)
	if r, ok := w.recordsOf(); ok {
		d.keep = cpu.SetOf(r.reg)
	}
	return d
}

// spHolds reports whether the stack pointer is the caller's, because the call frame rules at the
// call lead from it to a return address.
func (w *walk) spHolds(f *Frame, lr uint64) bool {
	call := lr - w.CallSize
	frame, ok := w.callFrameAt(w.moduleAt(call), call)
	if !ok {
		return false
	}
	caller := Frame{Frame: process.Frame{Regs: f.Regs.Keep(w.CalleeSaved | cpu.SetOf(w.SP)), ReturnAddress: lr}, base: f.base}
	up, ok := w.try(&caller, &decision{rules: frame.Rules, keep: w.CalleeSaved, trust: CFI})
	return ok && up.base > f.base && w.plausible(up.ReturnAddress)
}

// stale reports whether the link register is not this function's return address: a call that has
// returned left it, or it is no address of code. Without evidence the target's trustsLink decides.
func (w *walk) stale(f *Frame, lr uint64) bool {
	_, rec, _, recorded := w.recordOf(f)
	switch {
	case recorded && lr == rec.ra:
		w.say("the link register equals the frame record's return address")
	case w.misaligned(lr):
		w.say("the link register %#x is misaligned", lr)
	case !w.plausible(lr):
		w.say("the link register %#x is no return address", lr)
	case f.Interrupted && w.returnIsUntouched(f) == no:
		w.say("the link register %#x was left by a call", lr)
	case w.inSameFunction(f.Instruction, lr):
		w.say("the link register %#x was left by a call in this function", lr)
	case w.inPart(f):
		w.say("%#x is a part that another function jumps to: nothing shows that the link register %#x is its return address", f.Instruction, lr)
	case f.Interrupted && w.flowsTo(f, lr):
		w.say("the code behind the link register %#x is that of this function: a call there has returned", lr)
	default:
		return w.otherwiseStale(f, lr, rec.ra, recorded)
	}
	return true
}

func (w *walk) inPart(f *Frame) bool {
	fn, _, ok := w.functionAt(f.Module, f.Instruction)
	return ok && fn.isPart()
}

// misaligned reports whether no instruction can begin at an address.
func (w *walk) misaligned(addr uint64) bool { return w.even(addr)%w.Align != 0 }

// even returns an address of code without bit 0, which marks Thumb.
func (w *walk) even(addr uint64) uint64 {
	if w.thumb != nil {
		return addr &^ 1
	}
	return addr
}

// noRecords reports whether the frame pointer ends the chain of frame records.
func (w *walk) noRecords(f *Frame) bool {
	r, _ := w.recordsOf()
	fp, ok := f.Regs.Get(r.reg)
	return ok && fp == 0
}

// otherwiseStale examines the calls: the call before this function's return address calls this
// function. A call through a register may call any function.
func (w *walk) otherwiseStale(f *Frame, lr, recorded uint64, has bool) bool {
	switch {
	case w.callsInto(f, lr) == yes:
		w.say("the call before the link register %#x is one of this function", lr)
		return false
	case has && w.callsInto(f, recorded) == yes:
		w.say("the call before the frame record's return address %#x is one of this function", recorded)
		return true
	}
	if w.trustsLink != nil && w.trustsLink(w.in.OS) && (has || w.noRecords(f)) {
		return false
	}
	w.say("nothing shows that the link register %#x is this function's return address", lr)
	return true
}
