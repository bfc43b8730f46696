package unwind

import "crashglass/core/cpu"

// scanWords is how many words above the stack pointer may lie before a return
// address. The number is Breakpad's, whose loop includes its bound. The long
// one is for frames that are known well: the innermost, whose function may
// have a large frame or lie in no module, and those found by call frame
// information, behind which frames of a JIT may follow.
const (
	scanWords     = 41
	longScanWords = 161
)

func (w *walk) scanLimit(f *Frame) int {
	if f.interrupted || f.Trust == CFI {
		return longScanWords
	}
	return scanWords
}

// byScan takes the first word above the stack pointer that could be a return
// address. It is a guess: a return address that was left behind by an earlier
// call looks the same.
func byScan(w *walk, f *Frame) (caller, outcome) {
	sp, ok := f.Regs.Get(w.SP)
	if !ok || !w.mayScan() {
		return caller{}, none
	}
	at, ra, ok := w.scan(f, sp, w.scanLimit(f))
	if !ok {
		return caller{}, none
	}
	c := caller{trust: Scan, by: "scan"}
	c.regs.Set(w.PC, ra)
	c.regs.Set(w.SP, at+uint64(w.Word))
	restoreFramePointer(w, f, at, &c.regs)
	return c, found
}

func (w *walk) mayScan() bool {
	if w.scanned >= maxScanned {
		w.say("%d frames of this stack are guesses already", uint64(w.scanned))
		return false
	}
	return true
}

// scan looks at up to n words from addr on, and returns where it found a
// plausible return address, and the address without authentication bits.
func (w *walk) scan(f *Frame, addr uint64, n int) (at, ra uint64, ok bool) {
	for i := range n {
		at = addr + uint64(i*w.Word)
		v, ok := w.word(at)
		if !ok {
			w.uncaptured, w.hasUncaptured = at, true
			w.say("memory is not captured from %#x on", at)
			return 0, 0, false
		}
		v = w.strip(v)
		if (f.linked || f.leaf) && v == f.ReturnAddress {
			continue // the slot where the innermost function saved its link register
		}
		if w.plausible(v) {
			return at, v, true
		}
	}
	w.say("no return address in %d words from %#x on", uint64(n), addr)
	return 0, 0, false
}

// restoreFramePointer keeps the frame pointer over a scan where that is
// likely right: when it pointed right below the return address it was that
// frame's, and its caller's is saved there; when it points further up it was
// not touched.
func restoreFramePointer(w *walk, f *Frame, at uint64, regs *cpu.Regs) {
	fp, ok := f.Regs.Get(w.FP)
	if !ok {
		return
	}
	word := uint64(w.Word)
	switch {
	case fp == at-word:
		if saved, ok := w.word(fp); ok && saved > at {
			regs.Set(w.FP, saved)
		}
	case fp >= at+word:
		regs.Set(w.FP, fp)
	}
}
