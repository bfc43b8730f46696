package crash

import (
	"cmp"
	"slices"

	"crashglass/core/cpu"
)

// Analyze examines the exception, the failed instruction, and the registers and memory that it
// used. It never fails; unknown facts are missing from the answer.
func Analyze(in *Input) *Analysis {
	s := &state{in: in, Analysis: &Analysis{}, regs: in.Regs}
	if s.regs == nil {
		s.regs = &cpu.Regs{}
	}
	if e := in.Exception; e != nil && !e.Unknown {
		s.Reason = Reason(e, in.OS, in.Arch)
		s.Address, s.HasAddress = Address(e, in.OS, in.Arch), true
		s.Parameters = parameters(e, in)
	}
	if in.Exception != nil {
		s.e = effective(in)
		s.ReasonName = s.reasonName()
	}
	if in.Exception != nil && in.Arch != nil {
		s.decode()
		s.accesses()
		s.ipUpdate()
		s.adjust()
		s.bitFlips()
		s.guardPages()
		s.inconsistencies()
	}
	s.findings()
	return s.Analysis
}

// effective returns the exception as its operating system raised it. The fields of an Analysis that
// rust-minidump has, too, are made from the record in the dump.
func effective(in *Input) *Exception {
	e := in.Exception
	switch {
	case (in.OS == "linux" || in.OS == "android") && e.Flags == lldbFlag:
		return described(e)
	case in.OS == "mac" || in.OS == "ios":
		return recovered(e)
	}
	return e
}

// A state is an analysis in progress.
type state struct {
	in   *Input
	e    *Exception // Input.Exception as the system raised it; see effective
	regs *cpu.Regs
	*Analysis
	decoded  bool
	ops      []cpu.MemOp // one for each of Accesses
	baseRegs []cpu.Reg   // base registers of addresses, sorted by name
	fault    fault
	plain    []string // names of the frames that were compared with a pattern
}

// add records a finding.
func (s *state) add(f Finding) { s.Findings = append(s.Findings, f) }

// cause records a finding that explains the crash. If another one already does, it is one more
// observation.
func (s *state) cause(f Finding) {
	f.Cause = !s.caused()
	s.add(f)
}

// caused reports whether the crash is explained.
func (s *state) caused() bool {
	return slices.ContainsFunc(s.Findings, func(f Finding) bool { return f.Cause })
}

// has reports whether there is a finding of a kind already.
func (s *state) has(kinds ...Kind) bool {
	return slices.ContainsFunc(s.Findings, func(f Finding) bool { return slices.Contains(kinds, f.Kind) })
}

// finders has the best explanation first: a signal that was sent is no fault, and a stack overflow
// explains an access to a guard page.
var finders = []func(*state){
	(*state).findSent, (*state).findStackOverflow, (*state).findFunctions, (*state).findAttachment, (*state).findMozCrash,
	(*state).findAbort, (*state).findRaised, (*state).findReason,
	(*state).findNoCode, (*state).findTag, (*state).findBus, (*state).findPointerAuth, (*state).findPoison, (*state).findText,
	(*state).findNull, (*state).findBadJump, (*state).findMisaligned, (*state).findNonCanonical,
	(*state).findRegion, (*state).findBitFlip, (*state).findInconsistent, (*state).findStackPointer,
}

// findings runs the finders and sorts what they found: the cause first, then
// by confidence.
func (s *state) findings() {
	if s.in.Exception == nil {
		s.findRequest()
	} else {
		s.Event = s.weigh()
		if !s.in.Exception.Unknown {
			s.Note = s.note()
		}
		s.classify()
		s.NoAddress = s.noAddress()
		for _, find := range finders {
			find(s)
		}
		s.PointerRegister = s.pointerName()
	}
	s.findModules()
	s.findManaged()
	slices.SortStableFunc(s.Findings, func(a, b Finding) int {
		if a.Cause != b.Cause {
			if a.Cause {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Confidence, a.Confidence)
	})
}
