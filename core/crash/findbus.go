package crash

// findBus explains SIGBUS for a valid mapping without memory behind it.
func (s *state) findBus() {
	if !s.unix() || s.signal() != sigBUS || !s.fault.memory || s.caused() {
		return
	}
	switch s.e.Flags {
	case busReadBroken, busBroken:
		s.cause(Finding{Kind: BrokenMemory, Text: "Broken memory", Confidence: 1, Evidence: s.evidence(s.Note)})
	case busAdrErr:
		if s.fault.known && s.mapped(s.fault.addr) {
			s.cause(Finding{Kind: FileGone, Text: "No memory behind the mapping", Confidence: 0.9, Evidence: s.evidence(s.Note)})
		}
	}
}
