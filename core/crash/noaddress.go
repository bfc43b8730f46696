package crash

// noAddress says why the exception's address field is not an accessed address: it holds a process,
// the program counter, or nothing.
func (s *state) noAddress() string {
	switch {
	case s.Event.Signal == sigABRT && s.Event.Kind == Raised && s.aborting() != nil:
		return "abort"
	case s.Event.Signal == sigABRT && (s.Event.Kind == Unclear || s.Event.Kind == Sent && s.Event.Sender == Sender{}):
		return "SIGABRT"
	case s.Event.Kind == Sent:
		return "sent by " + s.Event.Sender.text()
	case s.Event.Kind == Raised && s.Event.Signal != 0:
		return "raised by the program itself"
	case s.fault.memory && s.pcInPlace() && !s.fault.known:
		return "not recorded"
	case s.fault.memory && s.unreported() && !s.fault.known:
		return "not reported by the CPU"
	}
	return ""
}
