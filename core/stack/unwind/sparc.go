package unwind

import "crashglass/core/machine/cpu"

func init() { targets = append(targets, &sparc) }

var sparc = target{Arch: &cpu.SPARC, ladder: []method{{RegisterWindows, sparcWindow}}}

// sparcWindow reads the register window that the kernel has saved at the
// caller's stack pointer:
//
//	sp' =   fp
//	i7  = *(fp+60)   the address of the call
//	fp' = *(fp+56)
//
// Execution continues at i7+8, behind the call and its delay slot. System V ABI, SPARC supplement,
// figure 3-16.
func sparcWindow(w *walk, f *Frame) (decision, outcome) {
	fp, okFP := f.Regs.Get(cpu.SPARCFP)
	sp, okSP := f.Regs.Get(cpu.SPARCSP)
	if !okFP || !okSP {
		return decision{}, none
	}
	if fp <= sp {
		w.say("fp = %#x does not lie above sp = %#x", fp, sp)
		return decision{}, w.chainEnds(fp)
	}
	i7, okRA := w.word(fp + 60)
	up, okUp := w.word(fp + 56)
	if !okRA || !okUp {
		w.say("no memory at %#x", fp+60)
		return decision{}, none
	}
	if i7 <= 1 || up <= 1 {
		return decision{}, w.chainEnds(0)
	}
	return decision{trust: FramePointer, way: ByFramePointer, rules: w.rules(
		Rule{CFA, At("fp", 0)}, Rule{RA, i7PlusEight}, Rule{"fp", Word(CFA, 56)})}, found
}

// i7PlusEight is the return address of a SPARC function.
var i7PlusEight = ParseValue(".cfa 60 + ^ 8 +")
