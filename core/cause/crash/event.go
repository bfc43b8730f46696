package crash

import "crashglass/core/process"

// A Witness is a source of evidence about the crash. If two contradict each other, the first in the
// list is believed. The instruction that the processor was about to execute cannot be misreported,
// but a stack can be from another moment.
type Witness uint8

// The witnesses, most reliable first.
const (
	NoWitness     Witness = iota
	ByInstruction         // the instruction at the program counter and the registers that it uses
	ByRegisters           // the program counter: behind a system call, or outside of code
	ByRecord              // the exception record of the operating system and the dump's writer
	BySender              // the process that sent the signal
	ByStack               // the functions on the stack
)

// An EventKind is how a run ended.
type EventKind uint8

// The kinds of events.
const (
	Unclear   EventKind = iota // the dump does not determine the kind
	Faulted                    // the processor refused an instruction
	Sent                       // the signal came from outside, or from another thread
	Raised                     // the program ended itself: abort, raise, RaiseException
	Killed                     // the operating system ended the program
	Requested                  // nothing ended: the program asked for a dump
)

// An Event is how the run ended, by all evidence.
type Event struct {
	Kind   EventKind
	By     Witness
	Signal uint32 // of Linux or Apple, by its number on amd64 Linux; 0 when there is none
	Sender Sender
}

// A Sender is the process that sent a signal.
type Sender struct {
	PID       uint32 // 0 when it is not known
	UID       uint32
	KnowsUser bool // UID is known
	Self      bool // it is the process of the dump
	Kernel    bool // no process sent it: a terminal, a limit, an alarm
	Timer     bool // a timer of the program sent it
}

// weigh decides what kind of event the exception is. It runs before all findings.
func (s *facts) weigh() Event {
	e := s.e
	switch {
	case e.Unknown:
		return Event{}
	case s.unix():
		return s.weighSignal()
	case s.apple():
		return s.weighMach()
	case s.in.OS.IsFuchsia() && e.Code&fuchsiaSynthetic == 0 && fuchsiaExceptions.of(e.Code) != "":
		return Event{Kind: Faulted, By: ByRecord}
	case s.in.OS.IsWindows() && onRequest(e):
		return Event{Kind: Requested, By: ByRecord}
	case s.breakIn() != nil:
		return Event{Kind: Requested, By: ByStack}
	case s.in.OS.IsWindows() && processorCodes[e.Code] && e.Flags&bySoftware != 0:
		return Event{Kind: Raised, By: ByRecord}
	case s.in.OS.IsWindows() && processorCodes[e.Code] && s.byRaise():
		return Event{Kind: Raised, By: ByStack}
	case s.in.OS.IsWindows() && processorCodes[e.Code]:
		return Event{Kind: Faulted, By: ByRecord}
	case s.in.OS.IsWindows():
		return Event{Kind: Raised, By: ByRecord}
	}
	return Event{}
}

// bySoftware is EXCEPTION_SOFTWARE_ORIGINATE of winnt.h, which Windows 11 sets for RaiseException.
const bySoftware = 0x80

// doubtful reports whether the event is a fault, or a signal that Sender sent.
func (ev Event) doubtful() bool { return ev.Kind == Faulted && ev.Sender.PID != 0 }

// brokenInto reports whether a debugger broke into a process of Windows.
func (ev Event) brokenInto() bool { return ev.Kind == Requested && ev.By == ByStack }

// processorCodes are the exceptions of Windows that stand for exceptions of the processor. Software
// can raise these, too, and raises all others.
var processorCodes = map[uint32]bool{
	guardPage: true, misaligned: true, 0x4000_001e: true, breakpoint32: true, breakpoint: true, singleStep: true, accessViolation: true, inPageError: true,
	illegalInstruction: true, 0xc000_008c: true, 0xc000_008d: true, 0xc000_008e: true, 0xc000_008f: true,
	0xc000_0090: true, 0xc000_0091: true, 0xc000_0092: true, 0xc000_0093: true, intDivideByZero: true,
	0xc000_0095: true, privInstruction: true, stackOverflow: true,
}

// at returns the address of the effective exception, without a tag.
func (s *facts) at() uint64 {
	if s.e == s.in.Exception {
		return s.reported(s.Address)
	}
	return s.reported(Address(s.e, s.in.OS, s.in.Arch))
}

// unix reports whether the exception is a signal with the kernel's siginfo.
func (s *facts) unix() bool { return s.in.OS.IsLinux() }

// apple reports whether the exception is one of Mach.
func (s *facts) apple() bool { return s.in.OS.IsApple() }

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
	case s.e.Access == process.Write: // sanitizers read it from the processor's error code; for a signal that was sent they say READ
		ev.Kind, ev.By = Faulted, ByRecord
	default: // kill leaves the same si_code, and its process in place of the address
		ev.Kind, ev.By, ev.Sender = Faulted, ByRecord, s.sender()
	}
	return s.raisedBySelf(ev)
}
