package unwind

import "crashglass/core/cpu"

var jumpToNowhere = method{"jump to nowhere", byReturnOnTop}

// byReturnOnTop finds the caller of code that is nowhere: a call through a bad
// pointer has put its return address where calls put it, and nothing has
// happened since. That is the link register, or the top of the stack, where
// the word must be a return address that the bytes of a call precede.
//
// Both Breakpad and rust-minidump follow rbp instead, which is still the
// caller's own, and lose the caller.
func byReturnOnTop(w *walk, f *Frame) (caller, outcome) {
	if !f.interrupted || w.in.Modules.At(f.Instruction) != nil {
		return caller{}, none
	}
	if w.LR != cpu.None {
		return returnInLink(w, f)
	}
	sp, ok := f.Regs.Get(w.SP)
	if !ok {
		return caller{}, none
	}
	ra, ok := w.word(sp)
	if !ok || !w.plausible(ra) || w.afterCall(ra) != yes {
		w.say("no call precedes the word on top of the stack")
		return caller{}, none
	}
	return returnOnTop(w, f)
}
