package unwind

import "crashglass/core/machine/cpu"

// scanWords is the number of words above the stack pointer that are scanned. It is Breakpad's,
// whose loop includes its bound. The long one is for reliable frames: the innermost, whose function
// may have a large frame or lie in no module, its caller, whose stack pointer may be unknown, and
// frames found by call frame information, because frames of a JIT may follow.
//
// The long one is also for Windows' dumps with memory permissions. There pointers to data, the
// noise of a long scan, are no candidates, and nothing is above a thread's first frame. Unix has
// addresses of code there (AT_ENTRY).
const (
	scanWords     = 41
	longScanWords = 161
)

// farScanWords is the number of words among which a call into the frame's module is searched for when
// the scan found nothing. Functions of C libraries that format text have buffers of several KiB.
const farScanWords = 2048

func (w *walk) scanLimit(f *Frame) int {
	if f.Interrupted || f.Trust >= Leaf || !f.Regs.Known().Has(w.SP) || w.regionsKnown {
		return longScanWords
	}
	return scanWords
}

// byScan takes the first word above the stack pointer that could be a return address. It is a
// guess, because a return address that an earlier call left looks the same.
func byScan(w *walk, f *Frame) (decision, outcome) {
	if !w.mayScan() {
		return decision{}, none
	}
	sp := f.spOf(w.SP)
	limit := w.scanLimit(f)
	at, ok := w.scan(f, sp, limit)
	if !ok {
		at, ok = w.farScan(f, sp+uint64(limit*w.Word), farScanWords-limit)
	}
	if !ok {
		return decision{}, none
	}
	return w.guess(f, at), found
}

// guess is the decision that the word at an address on the stack is the return address.
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

// scan examines up to n words from addr on, and returns the address of a plausible return address.
// If the frame's own return address is among them, the frame begins behind it, and so do the words.
func (w *walk) scan(f *Frame, addr uint64, n int) (at uint64, ok bool) {
	plausible := w.plausible
	if w.callsMain(f) {
		plausible = func(ra uint64) bool { return w.plausible(ra) && w.isStart(ra) }
	}
	return w.scanFor(f, addr, n, plausible)
}

// scanFor is scan with another condition. It weighs the words that fulfil it, see clues.
func (w *walk) scanFor(f *Frame, addr uint64, n int, plausible func(ra uint64) bool) (at uint64, ok bool) {
	again, end, doubtful, best := f.again, n, uint64(0), 0
	for i := 0; i < end; i++ {
		at = addr + uint64(i*w.Word)
		if w.in.Top != 0 && at >= w.in.Top {
			break
		}
		v, ok := w.peek(at)
		if !ok {
			w.uncaptured, w.hasUncaptured = at, true
			w.say("memory is not captured from %#x on", at)
			return doubtful, doubtful != 0
		}
		if v = w.strip(v); again && v == f.ReturnAddress {
			again, end = false, i+1+n
			continue // the saved link register of a leaf, or of a function without a frame record
		}
		if !plausible(v) {
			continue
		}
		switch weight := w.weigh(f, at, v); {
		case weight < refused:
		case doubtful != 0 && weight < best+nearly:
		case weight >= accepted:
			return at, true
		default:
			doubtful, best = at, weight
		}
	}
	if doubtful != 0 {
		return doubtful, true
	}
	w.say("no return address in %d words from %#x on", uint64(n), addr)
	return 0, false
}

// A savedFP is the state of the frame pointer at a scan.
type savedFP uint8

const (
	fpUnknown   savedFP = iota
	fpBelow             // it is saved below the return address
	fpUntouched         // it has the callee's value
)

// savedFP guesses that state. A frame pointer right below the return address belonged to that
// frame, and the caller's is saved there. One that points further up was not changed, unless it points
// to itself: a thread's control block above its stack does (tcbhead_t of glibc), and glibc's
// pthread_kill has its address in rbp. Otherwise the word below the return address counts if it
// continues a chain of frame records.
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
	case ok && fp >= at+word && w.sameStack(at, fp) && !w.isSelf(fp):
		return fpUntouched
	}
	if w.linksOn(at) {
		return fpBelow
	}
	return fpUnknown
}

// isSelf reports whether the word at an address is the address.
func (w *walk) isSelf(addr uint64) bool {
	v, ok := w.word(addr)
	return ok && v == addr
}

// linksOn reports whether the word below a return address points to a frame record further up the
// stack with a plausible return address and another frame pointer, or none at the end of a chain.
func (w *walk) linksOn(at uint64) bool {
	if w.FP == cpu.None {
		return false
	}
	word := uint64(w.Word)
	up, ok := w.word(at - word)
	if !ok || up <= at || up%word != 0 || !w.sameStack(at, up) {
		return false
	}
	ra, okRA := w.word(up + word)
	next, okFP := w.word(up)
	return okRA && okFP && w.plausible(w.strip(ra)) && (next == 0 || next > up && next%word == 0 && w.sameStack(up, next))
}
