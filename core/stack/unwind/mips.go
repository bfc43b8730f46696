package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

func init() { targets = append(targets, &mips, &mips64) }

var mips = target{
	Arch:        &cpu.MIPS,
	ladder:      mipsLadder,
	isa:         isa.MIPS,
	delaySlot:   true,
	trampolines: mipsTrampolines,
	argWords:    4,
}

var mips64 = target{
	Arch:        &cpu.MIPS64,
	ladder:      mipsLadder,
	isa:         isa.MIPS64,
	delaySlot:   true,
	trampolines: mips64Trampolines,
}

var mipsLadder = []method{
	{SignalFrames, bySavedContext},
	{CallFrameInfo, byCFI},
	{FunctionCode, byEntry},
	{Nowhere, byReturnOnTop},
	{LinkRegister, byLinkRegister},
	{StackScan, mipsScan},
}

// mipsFrameBytes is the largest frame that is scanned, Breakpad's kMaxFrameStackSize.
const mipsFrameBytes = 1024

// mipsScan scans for a return address as byScan does, but uses the shape of MIPS frames. A function
// saves ra above its fp, so a word is a better candidate if the word below it could be its caller's
// frame pointer: not below the word, and not far above it. Without such a word the first plausible return
// address is used.
//
// Under o32 a caller leaves four words for its callee's arguments at the
// bottom of its frame; they are skipped in every frame but the innermost.
func mipsScan(w *walk, f *Frame) (decision, outcome) {
	if !w.mayScan() {
		return decision{}, none
	}
	sp, words := f.spOf(w.SP), uint64(mipsFrameBytes/w.Word)
	if !f.Interrupted {
		sp += w.argWords * uint64(w.Word)
		words -= w.argWords
	}
	at, ok := w.mipsReturnAddress(f, sp, words, true)
	if !ok {
		at, ok = w.mipsReturnAddress(f, sp, words, false)
	}
	if !ok {
		w.say("no return address in %d words from %#x on", words, sp)
		return decision{}, none
	}
	d := decision{trust: Scan, way: ByScan}
	d.rules = w.frameRules(w.spName(f), int64(at-f.spOf(w.SP))+int64(w.Word))
	if fp, ok := w.word(at - uint64(w.Word)); ok && w.mipsFramePointer(fp, at) {
		d.rules = append(d.rules, Rule{"fp", Word(CFA, -2*int64(w.Word))})
	}
	return d, found
}

func (w *walk) mipsReturnAddress(f *Frame, sp, words uint64, withFP bool) (at uint64, ok bool) {
	for i := range words {
		at = sp + i*uint64(w.Word)
		v, ok := w.peek(at)
		if !ok {
			w.uncaptured, w.hasUncaptured = at, true
			return 0, false
		}
		if !w.plausible(v) || f.again && v == f.ReturnAddress || w.weigh(f, at, v) < refused {
			continue
		}
		if !withFP {
			return at, true
		}
		if fp, ok := w.peek(at - uint64(w.Word)); ok && w.mipsFramePointer(fp, at) {
			return at, true
		}
	}
	return 0, false
}

// mipsFramePointer reports whether fp can be the frame pointer of a function whose callee has its
// return address at an address.
func (w *walk) mipsFramePointer(fp, at uint64) bool {
	return (fp-at)&w.Mask() < mipsFrameBytes
}
