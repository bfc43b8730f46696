package unwind

import "crashglass/core/cpu"

// The PowerPC and SPARC ABIs require every function to link its frame to its
// caller's, so that the chain is all there is to follow; neither has call
// frame information in symbol files.
var (
	ppcLadder   = []method{{"back chain", ppcBackChain}}
	ppc64Ladder = []method{{"back chain", ppc64BackChain}}
)

// ppcBackChain follows the back chain:
//
//	sp' = *(sp)
//	ra  = *(sp'+8)   where macOS saves the link register, and Breakpad looks
//	ra  = *(sp'+4)   where the System V ABI saves it
//
// The System V place is used where only it holds a return address.
func ppcBackChain(w *walk, f *Frame) (caller, outcome) { return backChain(w, f, 8, 4) }

// ppc64BackChain is the same with the link register saved 16 bytes up, in every ABI.
func ppc64BackChain(w *walk, f *Frame) (caller, outcome) { return backChain(w, f, 16, 16) }

func backChain(w *walk, f *Frame, first, second uint64) (caller, outcome) {
	sp, ok := f.Regs.Get(cpu.PPCR1)
	if !ok {
		return caller{}, none
	}
	up, ok := w.word(sp)
	if !ok {
		w.say("no memory at sp = %#x", sp)
		return caller{}, none
	}
	if up <= sp {
		w.say("the back chain goes from %#x to %#x, which does not lie above", sp, up)
		return caller{}, chainEnd(w, up)
	}
	ra, ok := w.word(up + first)
	if other, ok := w.word(up + second); ok && !w.plausible(ra) && w.plausible(other) {
		ra = other
	}
	if !ok {
		w.say("no memory at %#x", up+first)
		return caller{}, none
	}
	if ra <= 1 {
		w.end = complete("the return address is 0")
		return caller{}, ended
	}
	c := caller{trust: FramePointer, by: "back chain"}
	c.regs.Set(cpu.PPCSRR0, ra)
	c.regs.Set(cpu.PPCR1, up)
	return c, found
}

// chainEnd tells the end of a chain, which is 0, from a broken link.
func chainEnd(w *walk, link uint64) outcome {
	if link != 0 {
		return none
	}
	w.end = complete("the back chain ends here")
	return ended
}
