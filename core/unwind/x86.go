package unwind

import "crashglass/core/cpu"

var x86Ladder = []method{
	signalFrame,
	{"STACK WIN", byWin},
	callFrameInfo,
	functionEntry,
	jumpToNowhere,
	{"frame pointer", x86FramePointer},
	{"stack scan", x86Scan},
}

// maxFrameGap is the largest plausible distance from a frame to its caller's.
// Breakpad's kMaxReasonableGapBetweenFrames: 128 KiB hold 99.5 % of all frames.
const maxFrameGap = 128 << 10

// x86FramePointer follows the ebp chain:
//
//	eip' = *(ebp+4)
//	esp' =   ebp+8
//	ebp' = *(ebp)
//
// Nothing else is checked, as most x86 code has frame pointers; a value that
// is none mostly points to no memory.
func x86FramePointer(w *walk, f *Frame) (caller, outcome) {
	ebp, ok := f.Regs.Get(cpu.EBP)
	if !ok {
		w.say("ebp is not known")
		return caller{}, none
	}
	if ebp > 0xffff_ffff-8 {
		w.say("ebp = %#x is no frame pointer", ebp)
		return caller{}, none
	}
	eip, okIP := w.word(ebp + 4)
	saved, okBP := w.word(ebp)
	if !okIP || !okBP {
		w.say("no memory at ebp = %#x", ebp)
		return caller{}, none
	}
	c := caller{trust: FramePointer, by: "frame ptr"}
	c.regs.Set(cpu.EIP, eip)
	c.regs.Set(cpu.ESP, ebp+8)
	c.regs.Set(cpu.EBP, saved)
	return c, found
}

// x86Scan scans from esp. The word below a return address is often the ebp
// that the callee has saved: it is taken when it points a plausible distance
// up the stack; otherwise ebp is left as it is.
func x86Scan(w *walk, f *Frame) (caller, outcome) {
	esp, ok := f.Regs.Get(cpu.ESP)
	if !ok || !w.mayScan() {
		return caller{}, none
	}
	at, eip, ok := w.scan(f, esp, w.scanLimit(f))
	if !ok {
		return caller{}, none
	}
	return x86Scanned(w, f, at, eip), found
}

// x86Scanned is the caller for a return address found at a place.
func x86Scanned(w *walk, f *Frame, at, eip uint64) caller {
	c := caller{trust: Scan, by: "scan"}
	c.regs.Set(cpu.EIP, eip)
	c.regs.Set(cpu.ESP, at+4)
	if saved, ok := w.word(at - 4); ok && saved > at-4 && saved-(at-4) <= maxFrameGap {
		c.regs.Set(cpu.EBP, saved)
	} else if ebp, ok := f.Regs.Get(cpu.EBP); ok {
		c.regs.Set(cpu.EBP, ebp)
	}
	return c
}
