package unwind

import "crashglass/core/cpu"

var armLadder = []method{
	signalFrame,
	callFrameInfo,
	functionEntry,
	jumpToNowhere,
	{"frame pointer", armFramePointer},
	{"frame chain", armChain},
	stackScan,
}

// armFramePointer follows the frame records of iOS, where r7 is the frame
// pointer in ARM and Thumb code:
//
//	ra  = *(r7+4)
//	r7' = *(r7)
//	sp' =   r7+8
func armFramePointer(w *walk, f *Frame) (caller, outcome) {
	if w.in.OS != "ios" {
		return caller{}, none
	}
	r7, ok := f.Regs.Get(cpu.ARMR7)
	if !ok {
		w.say("r7 is not known")
		return caller{}, none
	}
	if r7 == 0 {
		return byLinkRegister(w, f)
	}
	rec, ok := armRecordAtFP(w, r7)
	if !ok {
		w.say("no memory at r7 = %#x", r7)
		return caller{}, none
	}
	return byRecord(w, f, cpu.ARMR7, rec), found
}

// armChain follows the two frame layouts that compilers make elsewhere. GCC
// and Clang push {fp, lr} and leave fp at one of the two words; the old APCS
// pushes {fp, ip, lr, pc} and leaves fp at the saved pc:
//
//	fp at the saved fp    ra = *(fp+4)   fp' = *(fp)      sp' = fp+8
//	fp at the saved lr    ra = *(fp)     fp' = *(fp-4)    sp' = fp+4
//	APCS                  ra = *(fp-4)   fp' = *(fp-12)   sp' = *(fp-8)
//
// r11 is an ordinary register in code without frame pointers, so that each
// link is checked: the return address must be one, and the next frame pointer
// must lie above this one. This is how a libc without call frame information is
// crossed; Breakpad and rust-minidump scan instead.
func armChain(w *walk, f *Frame) (caller, outcome) {
	fp, ok := f.Regs.Get(cpu.ARMFP)
	sp, okSP := f.Regs.Get(cpu.ARMSP)
	if ok && fp == 0 && f.Trust == FramePointer {
		w.end = complete("the frame pointer is 0")
		return caller{}, ended
	}
	if !ok || !okSP || fp < sp || fp%4 != 0 || w.in.OS == "ios" {
		w.say("r11 holds no frame pointer")
		return caller{}, none
	}
	for _, layout := range armLayouts {
		rec, ok := layout(w, fp)
		if !ok || rec.sp <= sp || !armLinkHolds(w, fp, rec) {
			continue
		}
		c := caller{trust: FramePointer, by: "frame ptr"}
		c.regs.Set(cpu.ARMPC, rec.ra)
		c.regs.Set(cpu.ARMSP, rec.sp)
		c.regs.Set(cpu.ARMFP, rec.fp)
		return c, found
	}
	w.say("no frame record at r11 = %#x", fp)
	return caller{}, none
}

// armLayouts are the places of a frame record around fp.
var armLayouts = []func(w *walk, fp uint64) (frameRecord, bool){armRecordAtFP, armRecordAtLR, armRecordAPCS}

func armRecordAtFP(w *walk, fp uint64) (frameRecord, bool) {
	ra, okRA := w.word(fp + 4)
	saved, okFP := w.word(fp)
	return frameRecord{ra: ra, fp: saved, sp: fp + 8}, okRA && okFP
}

func armRecordAtLR(w *walk, fp uint64) (frameRecord, bool) {
	ra, okRA := w.word(fp)
	saved, okFP := w.word(fp - 4)
	return frameRecord{ra: ra, fp: saved, sp: fp + 4}, okRA && okFP
}

func armRecordAPCS(w *walk, fp uint64) (frameRecord, bool) {
	ra, okRA := w.word(fp - 4)
	saved, okFP := w.word(fp - 12)
	sp, okSP := w.word(fp - 8)
	return frameRecord{ra: ra, fp: saved, sp: sp}, okRA && okFP && okSP
}

// armLinkHolds checks one link of a chain: the return address is one, and the
// saved fp is the end of the chain or lies above this one, in the stack.
func armLinkHolds(w *walk, fp uint64, rec frameRecord) bool {
	if !w.plausible(rec.ra) {
		return false
	}
	if rec.fp == 0 {
		return true
	}
	if rec.fp <= fp || rec.fp%4 != 0 {
		return false
	}
	_, ok := w.word(rec.fp)
	return ok
}
