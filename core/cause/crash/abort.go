package crash

import "fmt"

// weighAbort decides how SIGABRT came about. The processor never raises it. abort and raise do, and
// a watchdog or a user sends it to get a dump of a hung program.
func (s *facts) weighAbort(sender Sender) Event {
	ev := Event{Signal: sigABRT, Sender: sender}
	switch {
	case s.aborting() != nil || s.raising() != nil:
		ev.Kind, ev.By = Raised, ByStack
	case sender.Self:
		ev.Kind, ev.By = Raised, BySender
	case sender.Kernel || sender.Timer || s.unix() && s.siCode() == siQueue:
		ev.Kind, ev.By = Sent, BySender // abort and raise leave SI_TKILL
	case s.killed() && !s.in.Crashpad && s.in.PID != 0:
		ev.Kind, ev.By = Sent, BySender // by kill, and the kernel's core has both numbers in one PID namespace
	case s.named() && s.in.PID != 0 && sender.PID != 0:
		ev.Kind, ev.By = Sent, BySender
	case s.outsideKernel():
		ev.Kind, ev.By = Sent, ByRegisters
	case s.named():
		ev.Kind, ev.By = Sent, ByStack
	}
	return ev
}

func (s *facts) aborting() *Row { return s.frameThat(aborts, endDepth, true) }

// nearAbort returns the frame of a function that probably aborts or raises a signal: the name is not
// certain.
func (s *facts) nearAbort() *Row { return s.frameThat(aborts|raises, endDepth, false) }

// named reports whether all frames down to the program's own code have certain names. Then a
// function that is missing among them was not called.
func (s *facts) named() bool {
	for i := range s.in.Frames {
		f := &s.in.Frames[i]
		if f.Guess || f.function() == "" || !f.certain() && s.isSystem(f) {
			return false
		}
		if s.isOwn(f) {
			return true
		}
	}
	return false
}

func (s *facts) findAbort() []candidate {
	if s.Event.Signal != sigABRT {
		return nil
	}
	f := Finding{Kind: Aborted, Text: "abort() called", Confidence: 1, Evidence: compact(s.abortReason(), s.in.Assertion)}
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
		if s.nearAbort() != nil {
			f.Confidence = nearStrength
		}
	}
	return explanation(f)
}

func (s *facts) abortReason() string {
	switch s.Event.Kind {
	case Raised:
		if f := s.aborting(); f != nil {
			return onStack(f) + "."
		}
		if f := s.raising(); f != nil {
			return onStack(f) + ": the program raised the signal itself."
		}
		if s.outsideKernel() {
			return "The sender of the signal is the program itself, and this thread was in no system call: another thread sent it."
		}
		return "The sender of the signal is the program itself, as abort and raise do it."
	case Sent:
		switch p := s.Event.Sender; {
		case p.Kernel || p.Timer:
			return fmt.Sprintf("The sender is %s.", p.text())
		case s.Event.By == BySender:
			return fmt.Sprintf("The sender is %s: probably a watchdog, or a user.", p.text())
		case s.Event.By == ByRegisters:
			return "The program counter is behind no system call, with which abort and raise send the signal: probably a watchdog or a user sent it."
		}
		return "Neither abort nor raise is on the stack: the signal was probably sent by a watchdog or a user."
	}
	text := "The program probably called abort; the functions on the stack that would prove it have no names."
	if f := s.nearAbort(); f != nil {
		text = fmt.Sprintf("The program probably called abort: %s.", onStack(f))
	}
	if p := s.Event.Sender; p.PID != 0 { // numbers of different PID namespaces cannot be compared
		text += fmt.Sprintf(" The signal came from %s.", p.text())
	}
	return text
}

// arrivedTitle returns the headline of a signal from outside. The place follows it: "SIGABRT
// arrived while this thread ran in work".
func (s *facts) arrivedTitle() string {
	if p := s.Event.Sender; p.PID != 0 || p.Kernel || p.Timer {
		return s.sentTitle()
	}
	return fmt.Sprintf("%s arrived while this thread %s", s.signalName(), s.doing())
}

func (s *facts) doing() string {
	switch {
	case s.waits():
		return "was waiting"
	case !s.outsideKernel() && (len(s.in.Frames) == 0 || s.in.Frames[0].function() == ""): // neither its code nor its name tells
		return "was running or waiting"
	}
	return "was running"
}

// waits reports whether the thread was in a system call.
func (s *facts) waits() bool {
	return s.in.Waiting || s.behindSystemCall() || s.restartsSystemCall()
}
