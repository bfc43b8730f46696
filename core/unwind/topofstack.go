package unwind

// byReturnOnTop finds the caller of code that is nowhere: a call through a bad
// pointer has pushed its return address, and nothing has been pushed since.
// The word on top of the stack must be a return address, and where the bytes
// before it were captured, they must be a call.
//
// Both Breakpad and rust-minidump follow rbp instead, which is still the
// caller's own, and lose the caller.
func byReturnOnTop(w *walk, f *Frame) (caller, outcome) {
	if !f.interrupted || w.in.Modules.At(f.Instruction) != nil {
		return caller{}, none
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
