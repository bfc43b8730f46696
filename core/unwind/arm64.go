package unwind

import "crashglass/core/cpu"

var arm64Ladder = []method{
	signalFrame,
	callFrameInfo,
	functionEntry,
	jumpToNowhere,
	{"frame pointer", arm64FramePointer},
	stackScan,
}

// arm64FramePointer follows the frame records of AAPCS64, section 6.4.6:
//
//	ra  = *(fp+8)
//	fp' = *(fp)
//	sp' =   fp+16
func arm64FramePointer(w *walk, f *Frame) (caller, outcome) {
	fp, ok := f.Regs.Get(cpu.A64FP)
	if !ok {
		w.say("fp is not known")
		return caller{}, none
	}
	if fp == 0 {
		return byLinkRegister(w, f)
	}
	rec, ok := arm64Record(w, fp)
	if !ok {
		w.say("no memory at fp = %#x", fp)
		return caller{}, none
	}
	c := byRecord(w, f, cpu.A64FP, rec)
	if pc := c.regs.Value(w.PC); w.nonCanonical(pc) {
		w.refuse("the return address %#x is no address", pc)
		return caller{}, none
	}
	return c, found
}

func arm64Record(w *walk, fp uint64) (frameRecord, bool) {
	saved, okFP := w.word(fp)
	ra, okRA := w.word(fp + 8)
	return frameRecord{ra: w.strip(ra), fp: w.strip(saved), sp: fp + 16}, okFP && okRA && fp <= ^uint64(0)-16
}
