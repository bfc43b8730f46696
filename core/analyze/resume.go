package analyze

import (
	"crashglass/core/process"
	"crashglass/core/stack/unwind"
)

// resume continues a stack at the registers of a fault, which the same stack has further up: those of a context or trap frame
// are proved, and the code that handles a fault is often walked by guesses. Frames that the walk found beyond the fault are
// dropped. A walk that got there by itself stays as it is.
func (a *analysis) resume(stack *unwind.Stack, fault *process.Registers) {
	pc, sp := fault.Regs.Value(fault.Arch.PC), fault.Regs.Value(fault.Arch.SP)
	keep, proved := 0, uint64(0)
	for n := range stack.Frames {
		f := &stack.Frames[n]
		if f.Interrupted && f.Instruction == pc {
			return
		}
		at, known := f.Regs.Get(fault.Arch.SP)
		if keep < n || !known || at >= sp || !a.sameStack(at, sp) {
			continue
		}
		if !f.Guess {
			proved = at
		} else if sp-proved > shortHandler {
			continue
		}
		keep++
	}
	keep = max(keep, min(len(stack.Frames), 1))
	in := a.input(fault)
	in.NoLeaf = true
	rest := unwind.Walk(in)
	if len(rest.Frames) == 0 {
		return
	}
	rest.Frames[0].Trust, rest.Frames[0].FoundBy = unwind.CFI, unwind.BySignal
	stack.Frames = append(stack.Frames[:keep:keep], rest.Frames...)
	stack.End, stack.Reads, stack.Steps = rest.End, stack.Reads+rest.Reads, stack.Steps+rest.Steps
}

// shortHandler is the most bytes of stack between a bug check and its fault for frames that were found by scanning. A page fault
// takes two frames of some 400 bytes. Dispatching an exception takes several KiB, most of it copies of registers and stale words.
const shortHandler = 0x600

// sameStack reports whether two addresses are in one run of captured memory.
func (a *analysis) sameStack(x, y uint64) bool {
	base, size, ok := a.p.Memory.Range(x)
	return ok && y-base < size
}
