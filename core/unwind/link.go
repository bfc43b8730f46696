package unwind

import "crashglass/core/cpu"

// A frameRecord is what a frame pointer's record in memory says of the caller.
type frameRecord struct{ ra, fp, sp uint64 }

// byRecord finds the caller on CPUs with a link register, from the frame
// record that fp points to and from the link register.
//
// The innermost function may be a leaf: it has stored nothing, its caller is
// in the link register, and the record is its caller's. Or it has a record of
// its own, and what the link register holds was left there by a call that has
// returned. Breakpad always assumes the first, rust-minidump the second, and
// each loses or invents a frame in the other case, so this decides (see stale).
//
// After a leaf the walk goes on from the same record: the caller's fp and sp
// are taken from it, and its return address becomes the caller's link
// register ("linked"), from which the next step takes the pc.
func byRecord(w *walk, f *Frame, fp cpu.Reg, rec frameRecord) caller {
	c := caller{trust: FramePointer, by: "frame ptr"}
	c.regs.Set(fp, rec.fp)
	c.regs.Set(w.SP, rec.sp)
	pc := rec.ra
	if lr, ok := linkRegister(w, f); ok && !w.stale(f, lr, rec.ra) {
		c.by, c.linked = "link reg", true
		c.regs.Set(w.LR, rec.ra)
		pc = lr
	}
	c.regs.Set(w.PC, pc)
	return c
}

// linkRegister is the frame's link register, if it can matter: in the
// innermost frame, where a frame record has just filled it, and where call
// frame information has recovered one that is not the frame's own return
// address.
func linkRegister(w *walk, f *Frame) (uint64, bool) {
	lr, ok := f.Regs.Get(w.LR)
	lr = w.strip(lr)
	if !f.interrupted && !f.linked && (f.Trust != CFI || lr == f.ReturnAddress) {
		return 0, false
	}
	return lr, ok
}

// stale reports whether the link register is what a call that has returned
// left there: it points into the function that is executing, is the same as
// the record's return address, or is no address of code at all.
func (w *walk) stale(f *Frame, lr, recorded uint64) bool {
	if f.linked {
		return false
	}
	switch {
	case lr == recorded:
		w.say("the link register equals the frame record's return address")
	case lr%w.Align != 0:
		w.say("the link register %#x is misaligned", lr)
	case w.in.Modules.At(lr) == nil:
		w.say("the link register %#x is in no module", lr)
	case f.interrupted && w.returnIsUntouched(f) == no:
		w.say("the link register %#x was left by a call", lr)
	case w.inSameFunction(f.Instruction, lr):
		w.say("the link register %#x was left by a call in this function", lr)
	default:
		w.say("the link register %#x is this function's return address: it is a leaf", lr)
		return false
	}
	return true
}

// byLinkRegister is the step from a frame whose frame pointer is 0: there is
// no record, so that the link register's function is the last that can be found.
func byLinkRegister(w *walk, f *Frame) (caller, outcome) {
	lr, ok := linkRegister(w, f)
	if !ok || !w.plausible(lr) || lr == f.ReturnAddress {
		w.end = complete("the frame pointer is 0")
		return caller{}, ended
	}
	c := caller{trust: FramePointer, by: "link reg", samesp: true}
	c.regs = f.Regs.Keep(w.CalleeSaved | cpu.SetOf(w.SP))
	c.regs.Set(w.PC, lr)
	return c, found
}
