package crash

import (
	"fmt"
	"slices"

	"crashglass/core/machine/cpu"
)

// Handled returns the crash that the program handled before it ended itself, as an input and analysis of its own, or both arguments. A handler
// that reports a crash then calls abort, or sends the signal again: the event of the dump is that call, and the cause is in the interrupted code.
func Handled(in *Input, a *Analysis) (*Input, *Analysis) {
	c := causeOf(a)
	if in.Exception == nil || in.Stop != nil || !in.OS.IsLinux() || a.Event.Kind != Raised && (a.Event.Kind != Unclear || a.Event.Signal != sigABRT) ||
		c == nil || c.Kind != Aborted && c.Kind != FromOutside && c.Kind != RaisedSignal && c.Text != goSignal {
		return in, a
	}
	s := factsOf(in, a)
	inner := s.interrupted(c.Text == goSignal)
	if inner == nil {
		inner = s.resent()
	}
	if inner == nil {
		return in, a
	}
	return inner, Analyze(inner)
}

// goSignal is the finding about a Go runtime that ended the program after a signal, as functions.txt has it.
const goSignal = "Go runtime ended by a signal"

// interrupted returns the fault whose handler is on the stack, or nil. The handlers of signals that were sent may be there, too: Go's runtime
// ends a program by a signal, whose handler ends it once more. If sent is set, the first signal counts that was sent, too.
func (s *facts) interrupted(sent bool) (outer *Input) {
	if s.in.Memory == nil || s.in.Arch == nil {
		return nil
	}
	for i := 1; i < len(s.in.Frames) && !s.in.Frames[i].Guess; i++ {
		if f := &s.in.Frames[i]; f.Walked().Interrupted && s.in.Frames[i-1].Frame != f.Frame {
			inner := s.interruptedAt(i)
			switch {
			case inner == nil:
			case faultSignals[inner.Exception.Code] && !sentCode(inner.Exception.Flags):
				return inner
			case sent && !s.ownSignal(inner):
				outer = inner
			}
		}
	}
	return outer
}

// ownSignal reports whether Go's runtime sent a signal to end the program: SIGABRT, by its own function, and SIGQUIT to each other thread, so that
// these print their stacks, too. Source: Go, src/runtime/signal_unix.go (crash, sighandler).
func (s *facts) ownSignal(inner *Input) bool {
	const goRaise, sigQUIT = "runtime.raise", 3
	switch inner.Exception.Code {
	case sigABRT:
		return inner.Frames[0].function() == goRaise
	case sigQUIT:
		return uint32(inner.Exception.Address) == s.in.PID
	}
	return false
}

// interruptedAt returns the signal that a handler was called for, by the first row of the interrupted frame. The signal frame has the kernel's
// siginfo, if the handler was to get it (SA_SIGINFO); otherwise the interrupted instruction shows whether it can have failed.
func (s *facts) interruptedAt(i int) *Input {
	regs := s.in.Frames[i].Walked().Regs
	sp, ok := s.in.Frames[i-1].Walked().Regs.Get(s.in.Arch.SP)
	if !ok {
		return nil
	}
	e := s.siginfo(sp)
	if e == nil {
		e = s.with(&regs).failing(sigSEGV, sigFPE, sigILL)
	}
	if e == nil {
		return nil
	}
	inner := s.behind(e, &regs)
	inner.Frames, inner.Skipped = s.in.Frames[i:], s.in.Skipped+i
	inner.Handler = fmt.Sprintf("A handler of %s then ended the program by %s.", s.nameOf(e.Code), s.signalName())
	return inner
}

// siginfo reads the siginfo of a signal frame, by the stack pointer that the handler returns with. It returns nil if the frame has none that
// is plausible.
func (s *facts) siginfo(sp uint64) *Exception {
	at, known := s.siginfoAt(sp)
	signal, read := s.in.Memory.Word(at, 4)
	code, full := s.in.Memory.Word(at+8, 4)
	addr, whole := s.in.Memory.Word(at+8+uint64(s.in.Arch.Word), s.in.Arch.Word) // the union, which begins with the address
	switch {
	case !known || !read || !full || !whole:
		return nil
	case !faultSignals[uint32(signal)] || sentCode(uint32(code)):
		if signal == 0 || signal > lastRealTime || code != siUser && !sentCode(uint32(code)) || uint32(addr) == 0 { // si_pid
			return nil
		}
	case signalCodes.in(uint32(signal)).of(uint32(code)) == "" && code != siKernel:
		return nil
	}
	return &Exception{Code: uint32(signal), Flags: uint32(code), Address: addr}
}

// siginfoAt returns the address of the kernel's siginfo, by the stack pointer that a signal handler returns with. Sources: struct rt_sigframe of
// arch/x86/include/asm/sigframe.h, arch/arm64/kernel/signal.c, arch/arm/kernel/signal.h and arch/riscv/kernel/signal.c.
func (s *facts) siginfoAt(sp uint64) (uint64, bool) {
	const ucontext64, sigcontext64, sigset64 = 40, 256, 8
	switch s.in.Arch {
	case &cpu.AMD64:
		return sp + ucontext64 + sigcontext64 + sigset64, true
	case &cpu.X86: // behind the signal's number
		return s.in.Memory.Word(sp+4, 4)
	case &cpu.ARM64, &cpu.ARM, &cpu.RISCV64:
		return sp, true
	}
	return 0, false
}

// resent returns the fault of the instruction at the program counter, or nil. A handler that sent the signal again returned to it with the
// signal blocked, so that the kernel delivers the new one there, with the sender in place of the fault.
func (s *facts) resent() *Input {
	if s.behindSystemCall() || s.restartsSystemCall() {
		return nil
	}
	e := s.failing(s.Event.Signal)
	if e == nil {
		return nil
	}
	inner := s.behind(e, s.regs)
	inner.Handler = fmt.Sprintf("The program then sent itself %s again, probably from a crash handler.", s.signalName())
	return inner
}

// failing returns the fault that the instruction must cause, if it is one of these signals, or nil.
func (s *facts) failing(signals ...uint32) *Exception {
	if !s.decoded {
		return nil
	}
	bad := slices.IndexFunc(s.Accesses, func(a Access) bool {
		g := s.regionAt(a.Address)
		return s.unreachable(a) || s.unmapped(a.Address) || g != nil && !g.Accessible()
	})
	divisor, _, divides := s.divisor()
	for _, signal := range signals {
		switch {
		case signal == sigSEGV && bad >= 0 && s.in.Arch.IsAMD64() && nonCanonical(s.Accesses[bad].Address):
			return &Exception{Code: signal, Flags: siKernel}
		case signal == sigSEGV && bad >= 0 && s.regionAt(s.Accesses[bad].Address) != nil:
			return &Exception{Code: signal, Flags: segvAccErr, Address: s.Accesses[bad].Address}
		case signal == sigSEGV && bad >= 0:
			return &Exception{Code: signal, Flags: segvMapErr, Address: s.Accesses[bad].Address}
		case signal == sigFPE && divides && divisor == 0:
			return &Exception{Code: signal, Flags: fpeIntDiv}
		case signal == sigILL && s.isTrap() && s.Inst.Mnemonic != "int3":
			return &Exception{Code: signal, Flags: illOperand}
		}
	}
	return nil
}

// with returns the facts about the instruction that registers are at.
func (s *facts) with(regs *cpu.Regs) *facts {
	in := s.behind(&Exception{Code: sigSEGV, Flags: segvMapErr}, regs)
	out := &facts{in: in, e: in.Exception, Analysis: &Analysis{}, regs: regs}
	out.decode()
	out.accesses()
	return out
}

// illOperand is ILL_ILLOPN, the code that Linux on x86 uses for every illegal instruction.
const illOperand = 2

// behind is the input of a fault that a handler reported.
func (s *facts) behind(e *Exception, regs *cpu.Regs) *Input {
	inner := *s.in
	inner.Exception, inner.Regs, inner.KernelSignal, inner.Waiting = e, regs, true, false
	if !s.inStack(regs.Value(s.in.Arch.SP)) {
		inner.StackLow, inner.StackHigh = 0, 0 // the handler had a stack of its own
	}
	return &inner
}
