package unwind

import (
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// lowest is the smallest address of code. Systems do not map the first page, so a value below it is
// a small number.
const lowest = 4096

// maxScanned bounds the guesses in one stack. It is Breakpad's number (max_frames_scanned): beyond
// it, scanning finds noise.
const maxScanned = 1 << 14

// usualFrames is the number of frames for which a walk has room from the start.
const usualFrames = 8

type walk struct {
	*target
	methods      []method // the target's, best first
	in           Input
	frames       []Frame
	end          End
	limit        int
	scanned      int
	shadow       Shadow // what is left of it
	shadowSearch int    // words of the stack that were searched for its words
	signals      int    // number of saved contexts so far
	pacMask      uint64
	exec         executor
	room         [8]Rule           // rules of the current decision
	insn         [longestInsn]byte // the current instruction

	followed int // instructions, see flows

	regionsKnown bool // Windows' dump has memory permissions

	evidence

	failed        End    // why the best method failed, if the next ones find nothing
	uncaptured    uint64 // an address that the current frame needs and the dump lacks
	hasUncaptured bool

	blank bool // the last load returned a placeholder
}

func newWalk(in Input) *walk {
	w := &walk{target: targetOf(in.Arch), in: in, limit: MaxFrames, shadow: in.Shadow}
	if w.methods = w.ladder; in.Kernel && w.kernel != nil {
		w.methods = w.kernel
	}
	if in.Frames > 0 && in.Frames < MaxFrames {
		w.limit = in.Frames
	}
	w.pacMask = smear(in.Modules.Highest())
	w.evidence.on = in.Explain
	if in.Executable != nil && in.OS.IsWindows() {
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
	first := Frame{
		Frame: process.Frame{Regs: w.in.Regs, ReturnAddress: pc, Interrupted: !w.in.Called || w.enters(pc)},
		Trust: Context, FoundBy: ByContext,
	}
	first.base = first.Regs.Value(w.SP)
	w.locate(&first)
	if w.frames = w.in.Room[:0]; w.frames == nil {
		w.frames = make([]Frame, 0, usualFrames)
	}
	w.frames = append(w.frames, first)
	for w.step() {
	}
	w.end.Evidence = w.take()
}

// enters reports whether a function begins at an address: nothing returns there.
func (w *walk) enters(pc uint64) bool {
	fn, rel, ok := w.functionAt(w.moduleAt(pc), pc)
	return ok && fn.Start == rel
}

// step finds one more frame. It reports false at the end of the walk.
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

// caller tries the methods of the ladder until one gives a plausible caller. Behind a function
// where threads begin it accepts only another one of these, and does not scan. It reports false
// when it has set the end.
func (w *walk) caller(f *Frame, starts bool) (Frame, bool) {
	w.hasUncaptured, w.failed = false, End{}
	if !starts {
		switch c, out := w.byShadow(f); out {
		case ended:
			w.ends()
			return c, false
		case found:
			w.locate(&c)
			w.accept("pc %#x, sp %#x", c.ReturnAddress, c.base)
			return c, true
		}
	}
	for i := range w.methods {
		m := &w.methods[i]
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
			if !c.Guess && w.injected(f) {
				w.uncall(&c)
			}
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

// startsToo reports whether the caller of a function where threads begin is another such function.
func (w *walk) startsToo(c, f *Frame) bool {
	outer, ok := w.startAt(c)
	inner, _ := w.startAt(f)
	return ok && !c.Guess && outer.Start != inner.Start
}

// follow executes a decision, and checks that the result can be a caller: no code is in the first
// page, and a caller's stack is above its callee's. Only an interrupted function that has pushed
// nothing shares its caller's stack pointer.
func (w *walk) follow(f *Frame, d *decision) (Frame, outcome) {
	c, ok := w.execute(f, d)
	if !ok {
		return c, none
	}
	if c.Interrupted || d.switches {
		return c, found // an interruption can have any pc and any stack
	}
	switch pc := c.ReturnAddress; {
	case pc == 0 && !f.Guess && !d.loose && (d.trust >= CFI || d.trust >= FramePointer && w.endsChain(f)):
		w.end = End{Kind: ChainEnd}
		if d.trust >= CFI {
			w.end.Kind = ZeroReturn
		}
		return c, ended
	case pc == 0 && f.Guess && d.trust >= CFI && w.provesZero(f, d):
		w.end = End{Kind: GuessedZero}
		return c, ended
	case pc == 0:
		w.refuse("the return address is 0")
		w.fail(End{Kind: ChainEnd})
		return c, none
	case pc < lowest:
		w.refuse("no code can be at the return address %#x", pc)
		return c, w.stop(d.loose, End{Kind: NoCode, Address: pc})
	case c.base > f.base, c.base == f.base && (d.samesp || f.Interrupted), w.leavesStack(f, &c, d):
		return c, found
	}
	w.refuse("no progress: the caller's stack pointer %#x does not lie above %#x", c.base, f.base)
	return c, w.stop(d.loose || f.Guess, End{Kind: NoProgress, Address: f.base, To: c.base})
}

// provesZero reports whether the return address 0 of call frame rules does not depend on the frame pointer that a scan has kept: the guess then led
// to the first frame of a thread, or nowhere. What a stray frame pointer leads to says nothing.
func (w *walk) provesZero(f *Frame, d *decision) bool {
	if !f.Trust.guessed() {
		return true
	}
	bare := *f
	bare.Regs.Forget(w.framePointer())
	c, ok := w.try(&bare, d)
	return ok && c.ReturnAddress == 0
}

// leavesStack reports whether the kernel's call frame rules lead back to the stack of a thread: deferred calls (DPC) and interrupts run on
// stacks of their own. The function that switches has the old stack pointer in its frame register, or in memory. Sources: ReactOS,
// ntoskrnl/ke/amd64/trap.S (KiRetireDpcListInDpcStack); Windows' KxRetireDpcList, whose unwind information sets rbp as the frame register.
func (w *walk) leavesStack(f, c *Frame, d *decision) bool {
	cfa, _ := Find(d.rules, CFA)
	bySP := strings.TrimPrefix(cfa.Base, "$") == w.RegName(w.SP) && !cfa.Load
	if !w.in.Kernel || d.trust < CFI || bySP || w.signals >= maxSignals || w.sameStack(f.base, c.base) || !w.plausible(c.ReturnAddress) {
		return false
	}
	w.signals++
	return true
}

// stop ends the walk, or only the method if its registers may hold anything.
func (w *walk) stop(loose bool, end End) outcome {
	if loose {
		return none
	}
	w.end = end
	return ended
}

// endsChain reports whether a frame record of zeros ends the chain of frame records: if another record, or a program of STACK WIN, led to
// it. The frame pointer of any other frame may hold anything, except on Apple's systems, where every function makes a record.
func (w *walk) endsChain(f *Frame) bool {
	return f.FoundBy == ByFramePointer || f.FoundBy == ByWin || w.in.OS.IsApple()
}

// fail records why a method's caller was refused. The first reason counts.
func (w *walk) fail(end End) {
	if w.failed.Kind == 0 {
		w.failed = end
	}
}

func (w *walk) locate(c *Frame) {
	c.trampoline = w.trampolineAt(c.ReturnAddress)
	c.Instruction = c.ReturnAddress
	switch {
	case !c.Interrupted && (c.trampoline == nil || !c.trampoline.entered) && !w.leftByGo(c.ReturnAddress):
		c.Instruction = (c.ReturnAddress - w.CallSize) & w.Mask()
	case c.Interrupted && w.syscallSize > 0 && w.isBehindSyscall(c):
		c.Instruction -= w.syscallSize
	}
	c.Module = w.moduleAt(c.Instruction)
}

func (w *walk) push(c Frame) {
	if c.Interrupted {
		w.signals++
	}
	if c.Trust.guessed() {
		w.scanned++
	}
	c.Evidence = w.take()
	w.frames = append(w.frames, c)
}

// moduleAt returns the loaded module at addr, or an unloaded one: its code is gone, but its symbols
// still name it.
func (w *walk) moduleAt(addr uint64) *module.Module {
	if m := w.in.Modules.At(addr); m != nil || w.in.Unloaded == nil || w.isGenerated(addr) {
		return m
	}
	return w.in.Unloaded(addr)
}

// isGenerated reports whether an address outside of every loaded module is in code that the program made, by its unwind entries.
func (w *walk) isGenerated(addr uint64) bool {
	rules, _ := w.rulesAt(nil, addr)
	return rules != nil
}

// rulesAt returns the rules of the module at addr, and addr relative to it. An address without a module may be in code that the program made.
func (w *walk) rulesAt(m *module.Module, addr uint64) (Rules, uint64) {
	if m == nil && w.in.Generated != nil {
		rules, base := w.in.Generated(addr)
		return rules, addr - base
	}
	if m == nil || w.in.Rules == nil {
		return nil, 0
	}
	return w.in.Rules(m), addr - m.Base
}

// baseOf returns what addresses of a frame's function are relative to.
func (w *walk) baseOf(f *Frame) uint64 {
	if f.Module != nil {
		return f.Module.Base
	}
	_, rel := w.rulesAt(nil, f.Instruction)
	return f.Instruction - rel
}

// functionAt returns the function of symbols at addr in m, and addr relative to m.
func (w *walk) functionAt(m *module.Module, addr uint64) (fn Function, rel uint64, ok bool) {
	rules, rel := w.rulesAt(m, addr)
	if rules == nil {
		return fn, rel, false
	}
	fn, ok = rules.Function(rel)
	return fn, rel, ok
}

// callFrameAt returns the call frame rules at addr in m.
func (w *walk) callFrameAt(m *module.Module, addr uint64) (CallFrame, bool) {
	rules, rel := w.rulesAt(m, addr)
	if rules == nil {
		return CallFrame{}, false
	}
	return rules.CallFrame(rel)
}

// winFrameAt returns the STACK WIN record at addr in m.
func (w *walk) winFrameAt(m *module.Module, addr uint64) (WinFrame, bool) {
	rules, rel := w.rulesAt(m, addr)
	if rules == nil {
		return WinFrame{}, false
	}
	return rules.WinFrame(rel)
}

// link returns the value of the link register, without an authentication code.
func (w *walk) link(f *Frame) (uint64, bool) {
	lr, ok := f.Regs.Get(w.LR)
	return w.strip(lr), ok && w.LR != cpu.None
}
