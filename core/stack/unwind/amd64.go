package unwind

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/isa"
)

func init() { targets = append(targets, &amd64) }

var amd64 = target{
	Arch: &cpu.AMD64,
	ladder: []method{
		{SignalFrames, bySavedContext},
		{CallFrameInfo, byGoSwitch},
		{CallFrameInfo, byCFI},
		{FunctionCode, byEntry},
		{Nowhere, byReturnOnTop},
		{LeafReturn, amd64Leaf},
		{FramePointers, amd64FramePointer},
		{StackScan, byScan},
	},
	isa:          isa.AMD64,
	second:       isa.ARM64,
	callsThrough: true,
	trampolines:  amd64Trampolines,

	syscallSize: 2,
	syscallLink: cpu.RCX,
}

// isBehindSyscall reports whether a frame is in a system call with which its function ends, because it does not return (exit_group, and wherever a compiler
// knows that). pc is then in another function, or in none.
func (w *walk) isBehindSyscall(f *Frame) bool {
	pc := f.ReturnAddress
	if link, ok := f.Regs.Get(w.syscallLink); !ok || link != pc {
		return false
	}
	var room [4]byte
	if code := w.codeBytes(room[:0], pc-4, 4); len(code) < 4 || code[2] != 0x0f || code[3] != 0x05 {
		return false
	}
	_, _, before := w.functionAt(w.moduleAt(pc-w.syscallSize), pc-w.syscallSize)
	_, _, here := w.functionAt(w.moduleAt(pc), pc)
	return before && (!here || w.enters(pc))
}

// amd64Leaf simulates the return of a Windows leaf function. It has no unwind data because it does
// not move the stack pointer, so its return address is on top of the stack. The word above is
// tried, too.
//
// Only the innermost frame can be a leaf. Breakpad's StackwalkerAMD64 does the
// same; rust-minidump goes straight to rbp.
func amd64Leaf(w *walk, f *Frame) (decision, outcome) {
	sp, ok := f.Regs.Get(cpu.RSP)
	if !w.in.OS.IsWindows() || !f.Interrupted || !ok || w.in.NoLeaf && len(w.frames) == 1 {
		return decision{}, none
	}
	at, ok := w.scan(f, sp, 2)
	if !ok {
		return decision{}, none
	}
	d := decision{rules: w.frameRules("rsp", int64(at-sp)+8), keep: w.CalleeSaved | cpu.SetOf(cpu.RSI, cpu.RDI), trust: Leaf, way: ByLeaf}
	if at != sp { // a register was pushed, and its value may have changed since
		d.keep = cpu.SetOf(cpu.RBP) // only a function with a frame changes it
	}
	return d, found
}

// amd64FramePointer follows the rbp chain:
//
//	rip' = *(rbp+8)
//	rsp' =   rbp+16
//	rbp' = *(rbp)
//
// Code built without frame pointers uses rbp for anything. Such values are misaligned, point to no
// memory, or do not advance.
//
// On Windows rbp may point up to 240 bytes below the saved one, in steps of 16 (UWOP_SET_FPREG).
// Each of these places is tried, up to the first with an impossible saved rbp.
func amd64FramePointer(w *walk, f *Frame) (decision, outcome) {
	rbp, ok := f.Regs.Get(cpu.RBP)
	if !ok {
		w.say("rbp is not known")
		return decision{}, none
	}
	tries := uint64(1)
	if w.in.OS.IsWindows() {
		tries = 16
	}
	for k := range tries {
		rec, ok := amd64Record(w, f, rbp+16*k)
		if !ok {
			return decision{}, none
		}
		if amd64RecordHolds(w, f, rec) {
			at := int64(16 * k)
			return decision{trust: FramePointer, way: ByFramePointer, loose: w.in.OS.IsWindows(),
				rules: w.frameRules("rbp", at+16, Rule{"rbp", Word(CFA, -16)})}, found
		}
	}
	return decision{}, none
}

// amd64Record reads the frame record at rbp. It fails if the saved rbp points to memory above that
// was not captured, because then the code uses rbp for something else.
func amd64Record(w *walk, f *Frame, rbp uint64) (rec frameRecord, ok bool) {
	if rbp > ^uint64(0)-16 || rbp%8 != 0 || !w.sameStack(f.spOf(cpu.RSP), rbp) {
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
func amd64RecordHolds(w *walk, f *Frame, rec frameRecord) bool {
	switch {
	case rec.sp <= f.base:
		w.say("the frame record below %#x does not lie above rsp = %#x", rec.sp, f.base)
	case rec.fp == 0 && rec.ra == 0: // the end of the chain
		return true
	case rec.fp < rec.sp:
		w.say("the saved rbp %#x does not lie above %#x", rec.fp, rec.sp)
	case !w.Canonical(rec.ra):
		w.say("the return address %#x is not canonical", rec.ra)
	case w.leadsOutside(plainRecord, rec.sp-16, rec):
		w.say("no code is known at the return address %#x", rec.ra)
	default:
		return true
	}
	return false
}
