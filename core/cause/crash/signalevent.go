package crash

// faultSignals are the signals for exceptions of the processor. Processes can send them, too.
var faultSignals = map[uint32]bool{sigILL: true, sigTRAP: true, sigBUS: true, sigFPE: true, sigSEGV: true}

// sentCode reports whether a value of si_code comes only from software: sigqueue, timers, message
// queues, asynchronous input, tgkill.
func sentCode(code uint32) bool { return int32(code) < 0 && siCodes.of(code) != "" }

// byKernel reports whether the kernel sent a signal that is never a fault: the
// terminal's, a limit's, an alarm's. SI_FROMKERNEL of
// include/uapi/asm-generic/siginfo.h.
func byKernel(code uint32) bool { return int32(code) > 0 }

// weighSignal decides whether a signal of Linux is a fault, was sent, or was
// raised by the program.
//
// si_code decides, if the writer of the dump copied it. 0 is SI_USER, but Breakpad before 2017 and
// LLDB do not know si_code and write 0, too. For 0 the instruction decides.
func (s *facts) weighSignal() Event {
	e := s.e
	ev := Event{Kind: Sent, By: ByRecord, Signal: s.signal()}
	switch {
	case e.Code == dumpRequested:
		return Event{Kind: Requested, By: ByRecord}
	case s.in.Debugger != "" && s.byDebugger(ev.Signal):
		return Event{Kind: Requested, By: ByRecord, Signal: ev.Signal}
	case ev.Signal == sigABRT:
		return s.weighAbort(s.sender())
	case ev.Signal == sigSYS && !sentCode(s.siCode()) && (e.Flags != siUser || !s.in.KernelSignal && s.sender().PID == 0):
		ev.Kind = Killed // seccomp sends it for a system call of the thread itself
		return ev
	case !faultSignals[ev.Signal], sentCode(s.siCode()), s.killed():
		ev.Sender = s.sender()
	case e.Flags != siUser:
		ev.Kind = Faulted
		return ev
	default:
		return s.weighInstruction()
	}
	return s.raisedBySelf(ev)
}

// Codes of SIGTRAP that a breakpoint instruction has: TRAP_BRKPT, and on x86
// SI_KERNEL. Source: Linux, include/uapi/asm-generic/siginfo.h.
const trapBreakpoint = 1

// byDebugger reports whether a debugger stopped the program: Ctrl-C in the debugger, a step, or a
// breakpoint that is not in the code.
func (s *facts) byDebugger(signal uint32) bool {
	switch {
	case signal != sigINT && signal != sigTRAP, sentCode(s.siCode()), s.killed():
		return false
	case signal == sigINT:
		return true
	case s.siCode() != trapBreakpoint && s.siCode() != siKernel:
		return true
	}
	return s.breakpoint() == breakpointNone
}

// killed reports whether the kernel wrote SI_USER, which it does only for sent signals. A writer
// that does not know si_code leaves the same value.
func (s *facts) killed() bool { return s.in.KernelSignal && s.e.Flags == siUser && s.sender().PID != 0 }

// raisedBySelf reports whether the process raised the signal itself. Process numbers of different
// PID namespaces cannot be compared, so functions on the stack count, too.
func (s *facts) raisedBySelf(ev Event) Event {
	if ev.Kind == Sent && (ev.Sender.Self || s.raising() != nil) {
		ev.Kind = Raised
	}
	return ev
}

// raiseDepth is the number of frames between the system call and the caller of raise.
const raiseDepth = 6

// raising returns the frame of a function that sends a signal to its own process.
func (s *facts) raising() *Row { return s.frameThat(raises, raiseDepth, true) }

// weighInstruction decides by the instruction if si_code is unknown.
func (s *facts) weighInstruction() Event {
	ev := Event{Signal: s.signal()}
	switch {
	case s.guilty():
		ev.Kind, ev.By = Faulted, ByInstruction
		if s.Inst.Privileged { // it fails without an address
			ev.Sender = s.sender()
		}
	case s.behindSystemCall(), s.restartsSystemCall():
		ev.Kind, ev.By, ev.Sender = Sent, ByRegisters, s.sender()
	case s.innocent():
		ev.Kind, ev.By, ev.Sender = Sent, ByInstruction, s.sender()
	case !s.decoded && s.in.Waiting:
		ev.Kind, ev.By, ev.Sender = Sent, ByStack, s.sender()
	case !s.decoded && (s.sender().KnowsUser || s.sender().Self):
		ev.Kind, ev.By, ev.Sender = Sent, BySender, s.sender()
	case s.in.KernelSignal && s.in.Arch.IsX86(): // kill, by a process without a number in the program's PID namespace; other CPUs had faults with code 0
		ev.Kind, ev.By = Sent, ByRecord
	default: // kill leaves the same si_code, and its process in place of the address
		ev.Kind, ev.By, ev.Sender = Faulted, ByRecord, s.sender()
	}
	return s.raisedBySelf(ev)
}
