package unwind

import "crashglass/core/cpu"

// scanWords is how many words above the stack pointer may lie before a return
// address. The number is Breakpad's, whose loop includes its bound. The long
// one is for frames that are known well: the innermost, whose function may
// have a large frame or lie in no module, its caller, whose stack pointer may be
// unknown, and those found by call frame information, behind which frames of a
// JIT may follow.
//
// It is also for Windows' dumps that say what memory can be executed. Pointers
// to data, which make a long scan noise, are no candidates there, and nothing
// lies above a thread's first frame. Unix has addresses of code there (AT_ENTRY).
const (
	scanWords     = 41
	longScanWords = 161
)

func (w *walk) scanLimit(f *Frame) int {
	if f.interrupted || f.Trust >= Leaf || !f.Regs.Known().Has(w.SP) || w.regionsKnown {
		return longScanWords
	}
	return scanWords
}

// byScan takes the first word above the stack pointer that could be a return
// address. It is a guess: a return address that was left behind by an earlier
// call looks the same.
func byScan(w *walk, f *Frame) (decision, outcome) {
	if !w.mayScan() {
		return decision{}, none
	}
	sp := f.spOf(w.SP)
	at, ok := w.scan(f, sp, w.scanLimit(f))
	if !ok {
		return decision{}, none
	}
	return w.guess(f, at), found
}

// guess is the decision that the word at a place on the stack is the return address.
func (w *walk) guess(f *Frame, at uint64) decision {
	d := decision{trust: Scan, way: ByScan}
	d.rules = w.frameRules(w.spName(f), int64(at-f.spOf(w.SP))+int64(w.Word))
	switch w.savedFP(f, at) {
	case fpBelow:
		d.rules = append(d.rules, Rule{w.RegName(w.framePointer()), Word(CFA, -2*int64(w.Word))})
	case fpUntouched:
		d.keep = cpu.SetOf(w.framePointer())
	}
	return d
}

func (w *walk) mayScan() bool {
	if w.scanned >= maxScanned {
		w.say("%d frames of this stack are guesses already", uint64(w.scanned))
		return false
	}
	return true
}

// scan looks at up to n words from addr on, and returns where it found a
// plausible return address.
func (w *walk) scan(f *Frame, addr uint64, n int) (at uint64, ok bool) {
	again := f.again
	for i := range n {
		at = addr + uint64(i*w.Word)
		v, ok := w.peek(at)
		if !ok {
			w.uncaptured, w.hasUncaptured = at, true
			w.say("memory is not captured from %#x on", at)
			return 0, false
		}
		if v = w.strip(v); again && v == f.ReturnAddress {
			again = false
			continue // where a leaf saved its link register, or a function without a frame record its own
		}
		if w.plausible(v) {
			return at, true
		}
	}
	w.say("no return address in %d words from %#x on", uint64(n), addr)
	return 0, false
}

// A savedFP says what became of the frame pointer where a return address was
// scanned for.
type savedFP uint8

const (
	fpUnknown   savedFP = iota
	fpBelow             // it is saved below the return address
	fpUntouched         // it is as the callee has it
)

// savedFP tells what is likely right: a frame pointer that points right below the
// return address was that frame's, and its caller's is saved there; one
// that points further up was not touched. Where it is neither, the word below
// the return address counts if a chain of frame records leads on from there.
func (w *walk) savedFP(f *Frame, at uint64) savedFP {
	fp, ok := f.Regs.Get(w.framePointer())
	word := uint64(w.Word)
	switch {
	case ok && w.fpAtScan != nil:
		return w.fpAtScan(w, fp, at)
	case ok && fp == at-word:
		if saved, ok := w.word(fp); ok && saved > at {
			return fpBelow
		}
	case ok && fp >= at+word && w.sameStack(at, fp):
		return fpUntouched
	}
	if w.linksOn(at) {
		return fpBelow
	}
	return fpUnknown
}

// linksOn reports whether the word below a return address points to a frame
// record further up the stack, whose return address is one.
func (w *walk) linksOn(at uint64) bool {
	if w.FP == cpu.None {
		return false
	}
	word := uint64(w.Word)
	up, ok := w.word(at - word)
	if !ok || up <= at || up%word != 0 || !w.sameStack(at, up) {
		return false
	}
	ra, ok := w.word(up + word)
	return ok && w.plausible(w.strip(ra))
}
