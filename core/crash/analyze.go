package crash

import (
	"cmp"
	"slices"

	"crashglass/core/cpu"
)

// Analyze looks at the exception, the instruction that failed and what it
// used. It never fails; what it cannot tell is missing from the answer.
func Analyze(in *Input) *Analysis {
	s := &state{in: in, Analysis: &Analysis{}, regs: in.Regs}
	if s.regs == nil {
		s.regs = &cpu.Regs{}
	}
	if e := in.Exception; e != nil && !e.Unknown {
		s.Reason = Reason(e, in.OS, in.Arch)
		s.Address, s.HasAddress = Address(e, in.OS, in.Arch), true
		s.Parameters = parameters(e, in)
		s.Note = explain(e, in.OS)
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

// A state is an analysis on its way.
type state struct {
	in   *Input
	regs *cpu.Regs
	*Analysis
	decoded  bool
	ops      []cpu.MemOp // of Accesses, as many as there are
	baseRegs []cpu.Reg   // that addresses were made of, sorted by name
	fault    fault
}

// add records a finding.
func (s *state) add(f Finding) { s.Findings = append(s.Findings, f) }

// cause records what explains the crash, unless something already does: then
// it is one more observation.
func (s *state) cause(f Finding) {
	f.Cause = !s.caused()
	s.add(f)
}

// caused reports whether the crash is explained.
func (s *state) caused() bool {
	return slices.ContainsFunc(s.Findings, func(f Finding) bool { return f.Cause })
}

// has reports whether something of a kind was found already.
func (s *state) has(kinds ...Kind) bool {
	return slices.ContainsFunc(s.Findings, func(f Finding) bool { return slices.Contains(kinds, f.Kind) })
}

// finders, best explanation first: a stack overflow hits a guard page, and the
// guard page is no news then.
var finders = []func(*state){
	(*state).findStackOverflow, (*state).findFunctions, (*state).findReason,
	(*state).findTag, (*state).findPointerAuth, (*state).findPoison, (*state).findText,
	(*state).findNull, (*state).findBadJump, (*state).findMisaligned, (*state).findNonCanonical,
	(*state).findRegion, (*state).findBitFlip, (*state).findInconsistent, (*state).findStackPointer,
}

// findings runs the finders and sorts what they found: the cause first, then
// by confidence.
func (s *state) findings() {
	if s.in.Exception == nil {
		s.findRequest()
	} else {
		s.classify()
		for _, find := range finders {
			find(s)
		}
	}
	s.findModules()
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
