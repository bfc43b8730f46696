package unwind

import "crashglass/core/cpu"

// maxPrologue is how many bytes of code before the pc are looked at.
const maxPrologue = 1024

var functionEntry = method{"function entry", byEntry}

// byEntry finds the caller of the innermost frame where the code shows that
// its return address is still, or again, where the call has put it: at the
// function's first instruction, at its return instruction, and on CPUs with a
// link register as long as the function has called nothing.
//
// Functions are known by their symbols, and code where it was captured:
// Breakpad's and Crashpad's clients save 256 bytes around the pc.
func byEntry(w *walk, f *Frame) (caller, outcome) {
	if !f.interrupted || w.returnIsUntouched(f) != yes {
		return caller{}, none
	}
	if w.LR == cpu.None {
		return returnOnTop(w, f)
	}
	return returnInLink(w, f)
}

// returnInLink is the caller whose return address is in the link register.
func returnInLink(w *walk, f *Frame) (caller, outcome) {
	lr, ok := f.Regs.Get(w.LR)
	lr = w.strip(lr)
	if !ok || !w.plausible(lr) {
		w.refuse("the link register %#x is no return address", lr)
		return caller{}, none
	}
	if rec, fp, ok := w.recordOf(f); ok && rec.ra == lr {
		c := caller{trust: FramePointer, by: "frame ptr"} // the function has made its record
		c.regs.Set(w.PC, lr)
		c.regs.Set(w.SP, rec.sp)
		c.regs.Set(fp, rec.fp)
		return c, found
	}
	c := caller{trust: Leaf, by: "link reg", regs: f.Regs, samesp: true, leaf: true}
	c.regs.Set(w.PC, lr)
	c.regs.Forget(w.LR)
	return c, found
}

// returnOnTop is the caller whose return address is on top of the stack.
func returnOnTop(w *walk, f *Frame) (caller, outcome) {
	sp, ok := f.Regs.Get(w.SP)
	ra, okRA := w.word(sp)
	if !ok || !okRA || !w.plausible(ra) {
		w.refuse("the word on top of the stack is no return address")
		return caller{}, none
	}
	c := caller{trust: Leaf, by: "leaf return", regs: f.Regs}
	c.regs.Set(w.PC, ra)
	c.regs.Set(w.SP, sp+uint64(w.Word))
	return c, found
}

// recordOf reads the frame record that the frame pointer points to, on CPUs
// that have such records.
func (w *walk) recordOf(f *Frame) (frameRecord, cpu.Reg, bool) {
	switch {
	case w.Name == "arm64":
		return recordAt(w, f, cpu.A64FP, arm64Record)
	case w.Name == "arm" && w.in.OS == "ios":
		return recordAt(w, f, cpu.ARMR7, armRecordAtFP)
	case w.Name == "riscv" || w.Name == "riscv64":
		return recordAt(w, f, cpu.RVS0, riscvRecord)
	case w.Name == "arm":
		for _, layout := range armLayouts {
			if rec, fp, ok := recordAt(w, f, cpu.ARMFP, layout); ok && w.plausible(rec.ra) {
				return rec, fp, true
			}
		}
	}
	return frameRecord{}, cpu.None, false
}

func recordAt(w *walk, f *Frame, reg cpu.Reg, read func(*walk, uint64) (frameRecord, bool)) (frameRecord, cpu.Reg, bool) {
	fp, ok := f.Regs.Get(reg)
	if !ok {
		return frameRecord{}, reg, false
	}
	rec, ok := read(w, fp)
	return rec, reg, ok
}

// returnIsUntouched reports whether the return address is where a call puts
// it: no when the function has called something, unknown when neither symbols
// nor code tell.
func (w *walk) returnIsUntouched(f *Frame) answer {
	pc := f.Instruction &^ (w.Align - 1)
	isa := w.isa(f)
	if isa.returns == nil {
		return unknown
	}
	if insn, ok := w.code(pc); ok && isa.returns(insn) {
		w.say("%#x is a return instruction", pc)
		return yes
	}
	fn, rel, ok := w.functionAt(f.Module, f.Instruction)
	if !ok || rel < fn.Start {
		return unknown
	}
	start := f.Module.Base + fn.Start&^(w.Align-1)
	if pc == start {
		w.say("%#x is the function's first instruction", pc)
		return yes
	}
	if isa.calls == nil || pc-start > maxPrologue {
		return unknown
	}
	return w.callsNothing(isa, start, pc)
}

// callsNothing reports whether the code from start up to pc has no call.
func (w *walk) callsNothing(isa isa, start, pc uint64) answer {
	for at := start; at < pc; {
		insn, ok := w.code(at)
		if !ok {
			return unknown
		}
		if isa.calls(insn) {
			w.say("the code at %#x calls", at)
			return no
		}
		at += isa.size(insn)
	}
	w.say("the code from %#x to %#x calls nothing", start, pc)
	return yes
}

// isa is the instruction set that the frame executes.
func (w *walk) isa(f *Frame) isa {
	if w.Name == "arm" && f.Regs.Value(cpu.ARMCPSR)&thumbBit != 0 {
		return thumb
	}
	return isas[w.Name]
}

// thumbBit is T of the CPSR.
const thumbBit = 1 << 5
