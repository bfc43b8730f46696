package crash

import "fmt"

// aborters are the functions that end a program with SIGABRT, of any C library.
var aborters = []string{
	"abort", "__GI_abort", "__abort", "_abort", "abort_report_np", "abort_with_reason", "abort_with_payload",
	"__abort_with_payload", "abort_internal", "std::sys::abort_internal", "std::process::abort",
	"__libc_fatal", "__libc_message*", "__assert_fail*", "__fortify_fail*", "__stack_chk_fail*", "__chk_fail",
	"terminate_with_reason", "Abort", "art::Runtime::Abort", "android_set_abort_message",
}

// weighAbort decides how SIGABRT came about. The processor never raises it. abort and raise do, and
// a watchdog or a user sends it to get a dump of a hung program.
func (s *state) weighAbort(sender Sender) Event {
	ev := Event{Signal: sigABRT, Sender: sender}
	switch {
	case s.aborting() != nil || s.raising() != nil:
		ev.Kind, ev.By = Raised, ByStack
	case sender.Self:
		ev.Kind, ev.By = Raised, BySender
	case sender.Kernel || sender.Timer || s.unix() && s.siCode() == siQueue:
		ev.Kind, ev.By = Sent, BySender // abort and raise leave SI_TKILL
	case s.named() && s.in.PID != 0 && sender.PID != 0:
		ev.Kind, ev.By = Sent, BySender
	case s.named():
		ev.Kind, ev.By = Sent, ByStack
	}
	return ev
}

// aborting returns the frame of a function that aborts, or nil.
func (s *state) aborting() *Frame {
	for _, name := range aborters {
		if f := s.frameOf(name); f != nil {
			return f
		}
	}
	for i := range signs {
		if endsProgram[signs[i].kind] {
			if f := s.frameOf(signs[i].function); f != nil {
				return f
			}
		}
	}
	return nil
}

// endsProgram are the kinds of signs whose functions end the program.
var endsProgram = map[Kind]bool{
	StackSmashed: true, HeapCorrupt: true, PureVirtual: true, OutOfMemory: true, Panic: true, Asserted: true, Thrown: true, Sanitizer: true,
}

// named reports whether all frames down to the program's own code have certain names. Then a
// function that is missing among them was not called.
func (s *state) named() bool {
	for i := range s.in.Frames {
		f := &s.in.Frames[i]
		if f.Guess || !f.trustedName() || f.Public && s.isSystem(f) {
			return false
		}
		if s.isOwn(f) {
			return true
		}
	}
	return false
}

// findAbort says how SIGABRT came about.
func (s *state) findAbort() {
	if s.caused() || s.Event.Signal != sigABRT {
		return
	}
	f := Finding{Kind: Aborted, Text: "abort() called", Confidence: 1, Evidence: []string{s.abortReason()}}
	switch s.Event.Kind {
	case Sent:
		f.Kind, f.Text, f.Confidence = FromOutside, s.arrivedTitle(), 0.8
	case Raised:
		if s.Event.By == BySender {
			f.Text = "The program raised SIGABRT"
		} else if s.aborting() == nil {
			f.Text = "raise(SIGABRT) called"
		}
	default:
		f.Text, f.Confidence = "Abort signal (SIGABRT)", 0.8
	}
	if s.in.Assertion != "" {
		f.Evidence = append(f.Evidence, s.in.Assertion)
	}
	s.cause(f)
}

// abortReason returns the evidence for how SIGABRT came about.
func (s *state) abortReason() string {
	switch s.Event.Kind {
	case Raised:
		if f := s.aborting(); f != nil {
			return fmt.Sprintf("`%s` is on the stack.", f.Function)
		}
		if f := s.raising(); f != nil {
			return fmt.Sprintf("`%s` is on the stack: the program raised the signal itself.", f.Function)
		}
		return "The sender of the signal is the program itself, as abort and raise do it."
	case Sent:
		switch p := s.Event.Sender; {
		case p.Kernel || p.Timer:
			return fmt.Sprintf("The sender is %s.", p.text())
		case s.Event.By == BySender:
			return fmt.Sprintf("The sender is %s: probably a watchdog, or a user.", p.text())
		}
		return "Neither abort nor raise is on the stack: the signal was probably sent by a watchdog or a user."
	}
	text := "The program probably called abort; the functions on the stack that would prove it have no names."
	if p := s.Event.Sender; p.PID != 0 { // numbers of different PID namespaces cannot be compared
		text += fmt.Sprintf(" The signal came from %s.", p.text())
	}
	return text
}

// arrivedTitle returns the headline of a signal from outside. The place follows it: "SIGABRT
// arrived while this thread ran in work".
func (s *state) arrivedTitle() string {
	if p := s.Event.Sender; p.PID != 0 || p.Kernel || p.Timer {
		return s.sentTitle()
	}
	return fmt.Sprintf("%s arrived while this thread %s", s.signalName(), s.doing())
}

// doing says what the thread did.
func (s *state) doing() string {
	if s.waits() {
		return "was waiting"
	}
	return "was running"
}

// waits reports whether the thread was in a system call.
func (s *state) waits() bool {
	return s.in.Waiting || s.behindSystemCall() || s.restartsSystemCall()
}
