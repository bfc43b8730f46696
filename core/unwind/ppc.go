package unwind

import "crashglass/core/cpu"

// The PowerPC and SPARC ABIs require every function to link its frame to its
// caller's, so that the chain is all there is to follow; neither has call
// frame information in symbol files.
var (
	ppcLadder   = []method{{"back chain", ppcBackChain}}
	ppc64Ladder = []method{{"back chain", ppc64BackChain}}
)

// ppcBackChain follows the System V back chain:
//
//	sp' = *(sp)
//	ra  = *(sp'+4)
func ppcBackChain(w *walk, f *Frame) (caller, outcome) { return backChain(w, f, 4) }

// ppc64BackChain is the same where the link register is saved 16 bytes up.
func ppc64BackChain(w *walk, f *Frame) (caller, outcome) { return backChain(w, f, 16) }

func backChain(w *walk, f *Frame, raOffset uint64) (caller, outcome) {
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
	ra, ok := w.word(up + raOffset)
	if !ok {
		w.say("no memory at %#x", up+raOffset)
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
