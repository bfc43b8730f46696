package unwind

import (
	"crashglass/core/cpu"
	"crashglass/core/module"
)

// lowest is the smallest address that code can have. Systems do not map the first
// page, so that a value below it is a small number.
const lowest = 4096

// maxScanned bounds how many frames of one stack are guesses. Breakpad's
// number (max_frames_scanned): past it, scanning is noise.
const maxScanned = 1 << 14

// A walk is one stack being walked.
type walk struct {
	*target
	in      Input
	frames  []Frame
	end     End
	limit   int
	scanned int
	signals int // saved contexts gone through
	pacMask uint64
	exec    executor
	room    [8]Rule           // of the decision that is being made
	insn    [longestInsn]byte // the instruction that is being decoded

	followed int // instructions, see flows

	regionsKnown bool // Windows says what can be executed

	evidence

	failed        End    // why the best of the methods failed, where the next one does not find more
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
	if in.Executable != nil && in.OS == "windows" {
		_, w.regionsKnown = in.Executable(in.Regs.Value(w.PC))
	}
	w.exec.init(w)
	return w
}

func (w *walk) run() {
	pc, ok := w.in.Regs.Get(w.PC)
	if !ok {
		w.end = End{Kind: NoPC}
		return
	}
	first := Frame{Regs: w.in.Regs, Trust: Context, FoundBy: ByContext, ReturnAddress: pc, Instruction: pc, interrupted: true}
	first.base = first.Regs.Value(w.SP)
	first.Module = w.moduleAt(pc)
	first.trampoline = w.trampolineAt(pc)
	w.frames = append(w.frames, first)
	for w.step() {
	}
	w.end.Evidence = w.take()
}

// step finds one more frame. It reports false where the walk ends.
func (w *walk) step() bool {
	f := &w.frames[len(w.frames)-1]
	if len(w.frames) >= w.limit {
		w.end = End{Kind: FrameLimit, Address: uint64(w.limit)}
		return false
	}
	fn, starts := w.startAt(f)
	if starts && f.Guess {
		w.end = atStart(f, fn)
		return false
	}
	c, ok := w.caller(f, starts)
	switch {
	case !ok && starts:
		w.end = atStart(f, fn)
	case ok:
		w.push(c)
	}
	return ok
}

// caller runs down the ladder until a method's caller holds. Behind a function
// where threads begin only another one of those is taken, and nothing is
// searched for. It reports false when it has set the end.
func (w *walk) caller(f *Frame, starts bool) (Frame, bool) {
	w.hasUncaptured, w.failed = false, End{}
	for i := range w.ladder {
		m := &w.ladder[i]
		if starts && m.method == StackScan {
			continue
		}
		w.begin(m.method)
		d, out := m.decide(w, f)
		var c Frame
		if out == found {
			c, out = w.follow(f, &d)
		}
		if out == found {
			w.locate(&c)
		}
		if out == found && starts && !w.startsToo(&c, f) {
			return Frame{}, false
		}
		if out == found {
			w.accept("pc %#x, sp %#x", c.ReturnAddress, c.Regs.Value(w.SP))
		}
		if out == ended {
			w.ends()
		}
		if out != none {
			return c, out == found
		}
	}
	w.end = w.lost(f)
	return Frame{}, false
}

// startsToo reports whether the caller of a function where threads begin is
// another function of that kind.
func (w *walk) startsToo(c, f *Frame) bool {
	outer, ok := w.startAt(c)
	inner, _ := w.startAt(f)
	return ok && !c.Guess && outer.Start != inner.Start
}

// follow executes a decision, and checks that what it finds can be a caller:
// nothing is called from the first page, and the stack of a caller lies above
// its callee's. Only a function that has pushed nothing, interrupted, shares
// its caller's.
func (w *walk) follow(f *Frame, d *decision) (Frame, outcome) {
	c, ok := w.execute(f, d)
	if !ok {
		return c, none
	}
	if c.interrupted {
		return c, found // any pc may have been interrupted, on any stack
	}
	switch pc := c.ReturnAddress; {
	case pc == 0 && !f.Guess && !d.loose && d.trust >= FramePointer:
		w.end = End{Kind: ChainEnd}
		if d.trust >= CFI {
			w.end.Kind = ZeroReturn
		}
		return c, ended
	case pc == 0:
		w.refuse("the return address is 0")
		w.fail(End{Kind: ChainEnd})
		return c, none
	case pc < lowest:
		w.refuse("no code can be at the return address %#x", pc)
		return c, w.over(d.loose, End{Kind: NoCode, Address: pc})
	case c.base > f.base, c.base == f.base && (d.samesp || f.interrupted):
		return c, found
	}
	w.refuse("no progress: the caller's stack pointer %#x does not lie above %#x", c.base, f.base)
	return c, w.over(d.loose || f.Guess, End{Kind: NoProgress, Address: f.base, To: c.base})
}

// over ends the walk, or only the method where its registers may hold anything.
func (w *walk) over(loose bool, end End) outcome {
	if loose {
		return none
	}
	w.end = end
	return ended
}

// fail remembers why a method's caller was refused. The first reason counts.
func (w *walk) fail(end End) {
	if w.failed.Kind == 0 {
		w.failed = end
	}
}

// locate finds out what code a frame is in.
func (w *walk) locate(c *Frame) {
	c.trampoline = w.trampolineAt(c.ReturnAddress)
	c.Instruction = c.ReturnAddress
	if !c.interrupted && (c.trampoline == nil || !c.trampoline.entered) {
		c.Instruction = (c.ReturnAddress - w.CallSize) & w.Mask()
	}
	c.Module = w.moduleAt(c.Instruction)
}

// push adds a frame.
func (w *walk) push(c Frame) {
	if c.interrupted {
		w.signals++
	}
	if c.Trust.guessed() {
		w.scanned++
	}
	c.Evidence = w.take()
	w.frames = append(w.frames, c)
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

// link is what the link register holds, without an authentication code.
func (w *walk) link(f *Frame) (uint64, bool) {
	lr, ok := f.Regs.Get(w.LR)
	return w.strip(lr), ok && w.LR != cpu.None
}
