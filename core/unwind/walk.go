package unwind

import (
	"fmt"

	"crashglass/core/cpu"
	"crashglass/core/module"
)

// lowest is the smallest address that code can have: nobody maps the first
// page, and what points there is a small number.
const lowest = 4096

// maxScanned bounds how many frames of one stack are guesses. Breakpad's
// number (max_frames_scanned): past it, scanning is noise.
const maxScanned = 1 << 14

// A method finds the caller of a frame, or does not.
type method struct {
	name string // as evidence calls it
	find func(*walk, *Frame) (caller, outcome)
}

// A caller is what a method found.
type caller struct {
	regs  cpu.Regs // pc and sp are known
	trust Trust
	by    string

	interrupted bool // see Frame
	linked      bool // see Frame
	leaf        bool // see Frame
	samesp      bool // sp may be the callee's: nothing was on the stack
}

type outcome uint8

const (
	none  outcome = iota // try the next method
	found                // caller is set
	ended                // walk.end is set: there is no caller
)

// A target is a CPU and its ladder.
type target struct {
	*cpu.Arch
	ladder []method
}

// A walk is one stack being walked.
type walk struct {
	target
	in      Input
	frames  []Frame
	end     End
	limit   int
	scanned int
	signals int // saved contexts gone through
	pacMask uint64
	cfi     cfiEngine
	evidence

	uncaptured    uint64 // an address that was needed for the current frame and is not in the dump
	hasUncaptured bool
}

func newWalk(in Input) *walk {
	w := &walk{target: targetOf(in.Arch), in: in, limit: MaxFrames}
	if in.Frames > 0 && in.Frames < MaxFrames {
		w.limit = in.Frames
	}
	w.pacMask = smear(in.Modules.Highest())
	w.evidence.on = in.Explain
	w.cfi.init(w)
	return w
}

func (w *walk) run() {
	pc, ok := w.in.Regs.Get(w.PC)
	if !ok {
		w.end = cut("the program counter was not saved")
		return
	}
	first := Frame{Regs: w.in.Regs, Trust: Context, FoundBy: "context", ReturnAddress: pc, Instruction: pc, interrupted: true}
	first.Module = w.moduleAt(pc)
	first.trampoline = w.trampolineAt(pc)
	w.frames = append(w.frames, first)
	for {
		if len(w.frames) >= w.limit {
			w.end = cut(fmt.Sprintf("the limit of %d frames is reached", w.limit))
			return
		}
		f := &w.frames[len(w.frames)-1]
		c, out := w.caller(f)
		if out != found {
			w.end.Evidence = w.take()
			return
		}
		w.push(f, c)
	}
}

// caller runs down the ladder. It returns found or ended.
func (w *walk) caller(f *Frame) (caller, outcome) {
	if end, ok := outermost(w, f); ok {
		w.end = end
		return caller{}, ended
	}
	w.hasUncaptured = false
	for _, m := range w.ladder {
		w.begin(m.name)
		w.steps++
		c, out := m.find(w, f)
		if out == found {
			out = w.check(f, &c)
		}
		if out == found {
			w.accept("pc %#x, sp %#x", c.regs.Value(w.PC), c.regs.Value(w.SP))
		}
		if out != none {
			return c, out
		}
	}
	w.end = w.lost(f)
	return caller{}, ended
}

// check ends the walk where a caller cannot be one: nothing is called from the
// first page, and the stack of a caller lies above its callee's. Only a
// function that has pushed nothing, interrupted, shares its caller's.
func (w *walk) check(f *Frame, c *caller) outcome {
	if c.interrupted {
		return found // any pc may have been interrupted, on any stack
	}
	pc := c.regs.Value(w.PC)
	switch {
	case pc == 0:
		w.end = complete("the return address is 0")
		return ended
	case pc < lowest:
		w.end = cut(fmt.Sprintf("no code can be at the return address %#x", pc))
		return ended
	}
	from, known := f.Regs.Get(w.SP)
	to := c.regs.Value(w.SP)
	if !known || to > from || c.samesp || to == from && f.interrupted {
		return found
	}
	w.end = cut(fmt.Sprintf("no progress: the caller's stack pointer %#x does not lie above %#x", to, from))
	return ended
}

func (w *walk) push(callee *Frame, c caller) {
	pc := c.regs.Value(w.PC)
	f := Frame{
		Regs: c.regs, Trust: c.trust, FoundBy: c.by,
		ReturnAddress: pc, Instruction: pc,
		interrupted: c.interrupted, linked: c.linked, leaf: c.leaf,
		Evidence: w.take(),
	}
	f.trampoline = w.trampolineAt(pc)
	if !c.interrupted && (f.trampoline == nil || !f.trampoline.entered) {
		f.Instruction = (pc - w.CallSize) & w.Mask()
	}
	if c.trust == Scan || c.trust == CFIScan {
		w.scanned++
	}
	f.Module = w.moduleAt(f.Instruction)
	w.frames = append(w.frames, f)
}

// moduleAt is the loaded module at addr, or an unloaded one: its code is gone
// but its symbols still name it.
func (w *walk) moduleAt(addr uint64) *module.Module {
	if m := w.in.Modules.At(addr); m != nil {
		return m
	}
	if w.in.Unloaded == nil {
		return nil
	}
	return w.in.Unloaded(addr)
}

// rulesAt returns the symbols of the module that addr lies in, and addr
// relative to it.
func (w *walk) rulesAt(m *module.Module, addr uint64) (Rules, uint64) {
	if m == nil || w.in.Rules == nil {
		return nil, 0
	}
	return w.in.Rules(m), addr - m.Base
}

// functionAt returns the function that symbols name at addr in m, and addr
// relative to m.
func (w *walk) functionAt(m *module.Module, addr uint64) (fn Function, rel uint64, ok bool) {
	rules, rel := w.rulesAt(m, addr)
	if rules == nil {
		return fn, rel, false
	}
	fn, ok = rules.Function(rel)
	return fn, rel, ok
}

// word reads a word of the CPU's size.
func (w *walk) word(addr uint64) (uint64, bool) {
	if w.in.Memory == nil {
		return 0, false
	}
	w.reads++
	addr &= w.Mask()
	v, ok := w.in.Memory.Word(addr, w.Word)
	if ok {
		w.read(addr, v)
	}
	return v, ok
}
