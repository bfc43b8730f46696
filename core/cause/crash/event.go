package crash

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
	case s.in.OS.IsWindows() && (windowsReasons[e.Code].kind == OnRequest || madeUp(e)):
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
