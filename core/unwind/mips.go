package unwind

import "crashglass/core/cpu"

var mipsLadder = []method{
	signalFrame,
	callFrameInfo,
	functionEntry,
	jumpToNowhere,
	{"stack scan", mipsScan},
}

// mipsFrameBytes is the largest frame that is looked through, Breakpad's kMaxFrameStackSize.
const mipsFrameBytes = 1024

// mipsScan looks for a return address as byScan does, with what is known of
// MIPS frames: a function saves ra above its fp, so a word is the better
// candidate when the one below it could be a frame pointer, one that lies at
// or above the stack pointer and not far. Without such a word any return
// address will do.
//
// Under o32 a caller leaves four words for its callee's arguments at the
// bottom of its frame; they are skipped in every frame but the innermost.
func mipsScan(w *walk, f *Frame) (caller, outcome) {
	sp, ok := f.Regs.Get(cpu.MIPSSP)
	if !ok || !w.mayScan() {
		return caller{}, none
	}
	word := uint64(w.Word)
	words := mipsFrameBytes / word
	if !f.interrupted && w.Word == 4 {
		sp += 4 * word
		words -= 4
	}
	at, ra, ok := w.mipsReturnAddress(f, sp, words, true)
	if !ok {
		at, ra, ok = w.mipsReturnAddress(f, sp, words, false)
	}
	if !ok {
		w.say("no return address in %d words from %#x on", words, sp)
		return caller{}, none
	}
	c := caller{trust: Scan, by: "scan"}
	c.regs.Set(cpu.MIPSPC, ra)
	c.regs.Set(cpu.MIPSSP, at+word)
	if fp, ok := w.word(at - word); ok && w.mipsFramePointer(fp, sp) {
		c.regs.Set(cpu.MIPSFP, fp)
	}
	return c, found
}

func (w *walk) mipsReturnAddress(f *Frame, sp, words uint64, withFP bool) (at, ra uint64, ok bool) {
	for i := range words {
		at = sp + i*uint64(w.Word)
		v, ok := w.word(at)
		if !ok {
			w.uncaptured, w.hasUncaptured = at, true
			return 0, 0, false
		}
		if !w.plausible(v) || f.leaf && v == f.ReturnAddress {
			continue
		}
		if !withFP {
			return at, v, true
		}
		if fp, ok := w.word(at - uint64(w.Word)); ok && w.mipsFramePointer(fp, sp) {
			return at, v, true
		}
	}
	return 0, 0, false
}

func (w *walk) mipsFramePointer(fp, sp uint64) bool {
	return (fp-sp)&w.Mask() < mipsFrameBytes
}
