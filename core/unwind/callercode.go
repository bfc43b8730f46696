package unwind

import "crashglass/core/cpu"

// byCallerCode finds the caller of a function that has called another, if its code from its first
// instruction to the call shows where it saved its return address. It runs before the stack scan:
// glibc's abort has no unwind rules on ARM and RISC-V, and gdb analyzes its prologue, too.
func byCallerCode(w *walk, f *Frame) (decision, outcome) {
	set := w.setAt(f.ReturnAddress)
	fn, _, named := w.functionAt(f.Module, f.Instruction)
	if f.interrupted || set == nil || w.LR == cpu.None || !named || fn.isPart() {
		return decision{}, none
	}
	start, pc := f.Module.Base+w.even(fn.Start), w.even(f.ReturnAddress)
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
