package unwind

import "crashglass/core/cpu"

var riscvLadder = []method{
	signalFrame,
	callFrameInfo,
	functionEntry,
	jumpToNowhere,
	{"frame pointer", riscvFramePointer},
	stackScan,
}

// riscvFramePointer follows frame records. The psABI's lie below s0:
//
//	ra  = *(s0-w)
//	fp' = *(s0-2w)
//	sp' =   s0
//
// where w is the size of a word. Breakpad expects them above s0, as on arm64
// (ra at s0+w, fp at s0), and stacks of that shape exist too. The psABI's is
// taken where what it finds is a return address and a frame pointer.
func riscvFramePointer(w *walk, f *Frame) (caller, outcome) {
	s0, ok := f.Regs.Get(cpu.RVS0)
	if !ok {
		w.say("s0 is not known")
		return caller{}, none
	}
	if s0 == 0 {
		return byLinkRegister(w, f)
	}
	rec, ok := riscvRecord(w, s0)
	if !ok {
		w.say("no frame record at s0 = %#x", s0)
		return caller{}, none
	}
	return byRecord(w, f, cpu.RVS0, rec), found
}

func riscvRecord(w *walk, s0 uint64) (frameRecord, bool) {
	if rec, ok := riscvRecordBelow(w, s0); ok {
		return rec, true
	}
	return riscvRecordAbove(w, s0)
}

func riscvRecordBelow(w *walk, s0 uint64) (frameRecord, bool) {
	word := uint64(w.Word)
	ra, okRA := w.word(s0 - word)
	fp, okFP := w.word(s0 - 2*word)
	if !okRA || !okFP || !w.plausible(ra) || fp <= s0 {
		return frameRecord{}, false
	}
	if _, ok := w.word(fp); !ok {
		return frameRecord{}, false
	}
	return frameRecord{ra: ra, fp: fp, sp: s0}, true
}

func riscvRecordAbove(w *walk, s0 uint64) (frameRecord, bool) {
	word := uint64(w.Word)
	fp, okFP := w.word(s0)
	ra, okRA := w.word(s0 + word)
	return frameRecord{ra: ra, fp: fp, sp: s0 + 2*word}, okFP && okRA
}
