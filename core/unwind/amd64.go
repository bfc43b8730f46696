package unwind

import "crashglass/core/cpu"

var amd64Ladder = []method{
	signalFrame,
	callFrameInfo,
	{"jump to nowhere", byReturnOnTop},
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
// (UWOP_SET_FPREG), so each of those places is tried.
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
		if c, ok := amd64Record(w, rbp+16*k, rsp); ok {
			return c, found
		}
	}
	return caller{}, none
}

// amd64Record reads the frame record at rbp.
func amd64Record(w *walk, rbp, rsp uint64) (c caller, ok bool) {
	if rbp > ^uint64(0)-16 || rbp%8 != 0 || rbp+16 <= rsp {
		w.say("rbp = %#x is no frame record above rsp = %#x", rbp, rsp)
		return c, false
	}
	rip, okIP := w.word(rbp + 8)
	saved, okBP := w.word(rbp)
	if !okIP || !okBP {
		w.say("no memory at rbp = %#x", rbp)
		return c, false
	}
	if w.nonCanonical(rip) {
		w.say("the return address %#x at %#x is not canonical", rip, rbp+8)
		return c, false
	}
	if rip != 0 && !amd64ChainGoesOn(w, rbp, saved) {
		return c, false
	}
	c = caller{trust: FramePointer, by: "frame ptr"}
	c.regs.Set(cpu.RIP, rip)
	c.regs.Set(cpu.RSP, rbp+16)
	c.regs.Set(cpu.RBP, saved)
	return c, true
}

// amd64ChainGoesOn reports whether the saved rbp could be the next record: it
// lies above this one, and is captured. A chain that ends here is left to the scan.
func amd64ChainGoesOn(w *walk, rbp, saved uint64) bool {
	if saved < rbp+16 {
		w.say("the saved rbp %#x does not lie above %#x", saved, rbp)
		return false
	}
	if _, ok := w.word(saved); !ok {
		w.say("no memory at the saved rbp %#x", saved)
		return false
	}
	return true
}
