package unwind

import "crashglass/core/machine/flow"

// endingFrames is the number of frames that are examined for functions that never return: a panic
// takes a dozen.
const endingFrames = 40

// NeverReturns reports for the frames of a stack, without the innermost one, whose functions are proved
// never to return: no path from their first instruction leads to a return, to another function, or
// to a call a second time. Functions that end the program or throw are such, and the main loop of a
// program is none. Input is that of the walk.
func NeverReturns(in Input, frames []Frame) []bool {
	out := make([]bool, len(frames))
	if in.Decode == nil || in.Arch == nil || !flow.Arch(in.Arch) {
		return out
	}
	in.Read = nil // the walk does not depend on it
	w := newWalk(in)
	for i := 1; i < min(len(frames)-1, endingFrames); i++ {
		exit := uint64(0)
		if out[i-1] {
			exit = frames[i].ReturnAddress
		}
		out[i] = !frames[i].Interrupted && w.neverReturns(&frames[i], &frames[i+1], exit)
	}
	return out
}

// neverReturns examines the function of a frame, which its caller must have called by its first
// instruction: a part of a function that was split off is none.
func (w *walk) neverReturns(f, caller *Frame, exit uint64) bool {
	start, size, ok := w.extent(f.Instruction)
	if !ok || caller.Interrupted {
		return false
	}
	if target, ok := w.calledFrom(caller.ReturnAddress); !ok || target != start {
		return false
	}
	facts, ok := flow.Follow(w.decode, start, start, start+size, exit)
	return ok && facts == flow.Facts{}
}
