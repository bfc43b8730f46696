package unwind

import "crashglass/core/cpu"

var sparcLadder = []method{{"register windows", sparcWindow}}

// sparcWindow reads the register window that the kernel has saved at the
// caller's stack pointer:
//
//	sp' =   fp
//	i7  = *(fp+60)   the address of the call
//	fp' = *(fp+56)
//
// Execution goes on at i7+8, behind the call and its delay slot.
// System V ABI, SPARC supplement, figure 3-16.
func sparcWindow(w *walk, f *Frame) (caller, outcome) {
	fp, okFP := f.Regs.Get(cpu.SPARCFP)
	sp, okSP := f.Regs.Get(cpu.SPARCSP)
	if !okFP || !okSP {
		return caller{}, none
	}
	if fp <= sp {
		w.say("fp = %#x does not lie above sp = %#x", fp, sp)
		return caller{}, chainEnd(w, fp)
	}
	i7, okRA := w.word(fp + 60)
	up, okUp := w.word(fp + 56)
	if !okRA || !okUp {
		w.say("no memory at %#x", fp+60)
		return caller{}, none
	}
	if i7 <= 1 || up <= 1 {
		w.end = complete("the register window has no caller")
		return caller{}, ended
	}
	c := caller{trust: FramePointer, by: "frame ptr"}
	c.regs.Set(cpu.SPARCPC, (i7+8)&w.Mask())
	c.regs.Set(cpu.SPARCSP, fp)
	c.regs.Set(cpu.SPARCFP, up)
	return c, found
}
