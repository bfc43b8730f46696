package crash

import (
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// execute completes package cpu's kinds of access: operands read and write, and the processor
// executes.
const execute cpu.Access = 1 << 7

// allows reports whether a region may allow an access. Unknown permissions allow it.
func allows(g *process.Region, op cpu.Access) bool {
	switch op {
	case cpu.Read:
		return g.Allows('r')
	case cpu.Write:
		return g.Allows('w')
	case execute:
		return g.Allows('x')
	}
	return true
}

func (s *facts) windowsAccess() cpu.Access {
	e := s.in.Exception
	if !s.in.OS.IsWindows() || e.Code != accessViolation || len(e.Params) == 0 {
		return 0
	}
	return windowsKinds[e.Params[0]]
}

// windowsKinds are the kinds of access by the first parameter of an exception about memory.
var windowsKinds = map[uint64]cpu.Access{0: cpu.Read, 1: cpu.Write, 8: execute}

// guardMax is the largest size of a guard: rust-minidump's bound.
const guardMax = 2 << 14

// guardPages marks accesses to a probable guard: a small region without permissions, adjacent to
// one with some.
func (s *facts) guardPages() {
	for i := range s.Accesses {
		s.Accesses[i].LikelyGuard = s.likelyGuard(s.Accesses[i].Address)
	}
}

// likelyGuard is rust-minidump's rule (check_for_guard_pages of processor.rs). It also holds for free
// memory of Windows; findRegion leaves that out.
func (s *facts) likelyGuard(addr uint64) bool {
	i := s.regionIndex(addr)
	if i < 0 {
		return false
	}
	list := s.in.Regions
	g := &list[i]
	if g.Accessible() || g.Last-g.Start >= guardMax {
		return false
	}
	before := i > 0 && list[i-1].Last+1 == g.Start && list[i-1].Accessible()
	after := i+1 < len(list) && g.Last+1 == list[i+1].Start && list[i+1].Accessible()
	return before || after
}
