package unwind

import "crashglass/core/cpu"

var amd64Ladder = []method{
	signalFrame,
	callFrameInfo,
	functionEntry,
	jumpToNowhere,
	{"leaf return", amd64Leaf},
	{"frame pointer", amd64FramePointer},
	stackScan,
}

// amd64Leaf simulates the return of a Windows leaf function, which has no
// unwind data because it moves nothing: its return address is on top of the
// stack. One more word is looked at. Every register is as the callee has it.
//
// Only the innermost frame can be a leaf. Breakpad's StackwalkerAMD64 does the
// same; rust-minidump goes straight to rbp.
func amd64Leaf(w *walk, f *Frame) (caller, outcome) {
	if w.in.OS != "windows" || !f.interrupted {
		return caller{}, none
	}
	sp, ok := f.Regs.Get(cpu.RSP)
	if !ok {
		return caller{}, none
	}
	at, ra, ok := w.scan(f, sp, 2)
	if !ok {
		return caller{}, none
	}
	c := caller{trust: Leaf, by: "leaf return", regs: f.Regs}
	c.regs.Set(cpu.RIP, ra)
	c.regs.Set(cpu.RSP, at+8)
	return c, found
}

// amd64FramePointer follows the rbp chain:
//
//	rip' = *(rbp+8)
//	rsp' =   rbp+16
//	rbp' = *(rbp)
//
// Code built without frame pointers uses rbp for anything. What such code
// leaves behind is not aligned, fails to read as memory, or does not advance.
//
// On Windows rbp may point up to 240 bytes below the saved one, in steps of 16
// (UWOP_SET_FPREG), so each of those places is tried, up to the first whose
// saved rbp cannot be one.
func amd64FramePointer(w *walk, f *Frame) (caller, outcome) {
	rbp, okBP := f.Regs.Get(cpu.RBP)
	rsp, okSP := f.Regs.Get(cpu.RSP)
	if !okBP || !okSP {
		w.say("rbp is not known")
		return caller{}, none
	}
	tries := uint64(1)
	if w.in.OS == "windows" {
		tries = 16
	}
	for k := range tries {
		rec, ok := amd64Record(w, rbp+16*k)
		if !ok {
			return caller{}, none
		}
		if k == 0 && tries == 1 && rec.ra == 0 && rec.fp == 0 {
			w.end = complete("the frame record at rbp has no caller")
			return caller{}, ended
		}
		if !amd64RecordHolds(w, rec, rsp) {
			continue
		}
		c := caller{trust: FramePointer, by: "frame ptr"}
		c.regs.Set(cpu.RIP, rec.ra)
		c.regs.Set(cpu.RSP, rec.sp)
		c.regs.Set(cpu.RBP, rec.fp)
		return c, found
	}
	return caller{}, none
}

// amd64Record reads the frame record at rbp. It fails where the saved rbp
// lies above but was not captured: code that uses rbp for something else.
func amd64Record(w *walk, rbp uint64) (rec frameRecord, ok bool) {
	if rbp > ^uint64(0)-16 || rbp%8 != 0 {
		w.say("rbp = %#x is no frame record", rbp)
		return rec, false
	}
	ra, okRA := w.word(rbp + 8)
	saved, okBP := w.word(rbp)
	if !okRA || !okBP {
		w.say("no memory at rbp = %#x", rbp)
		return rec, false
	}
	if saved >= rbp+16 {
		if _, ok := w.word(saved); !ok {
			w.say("no memory at the saved rbp %#x", saved)
			return rec, false
		}
	}
	return frameRecord{ra: ra, fp: saved, sp: rbp + 16}, true
}

// amd64RecordHolds checks that a record could be the caller's: its rbp lies
// above it, its return address is an address, and it lies above rsp.
func amd64RecordHolds(w *walk, rec frameRecord, rsp uint64) bool {
	switch {
	case rec.sp <= rsp:
		w.say("the frame record below %#x does not lie above rsp = %#x", rec.sp, rsp)
	case rec.fp < rec.sp:
		w.say("the saved rbp %#x does not lie above %#x", rec.fp, rec.sp)
	case w.nonCanonical(rec.ra):
		w.say("the return address %#x is not canonical", rec.ra)
	default:
		return true
	}
	return false
}
