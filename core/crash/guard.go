package crash

import "crashglass/core/cpu"

// execute completes package cpu's kinds of access: operands read and write, and the processor
// executes.
const execute cpu.Access = 1 << 7

// allows reports whether a region may allow an access. Unknown permissions allow it.
func (r *Region) allows(op cpu.Access) bool {
	switch op {
	case cpu.Read:
		return r.Read
	case cpu.Write:
		return r.Write
	case execute:
		return r.Exec
	}
	return true
}

// windowsAccess returns the access that Windows reports, or 0.
func (s *state) windowsAccess() cpu.Access {
	e := s.in.Exception
	if s.in.OS != "windows" || e.Code != accessViolation || len(e.Params) == 0 {
		return 0
	}
	switch e.Params[0] {
	case 0:
		return cpu.Read
	case 1:
		return cpu.Write
	case 8:
		return execute
	}
	return 0
}

// guardMax is the largest size of a guard: rust-minidump's bound.
const guardMax = 2 << 14

// guardPages marks accesses to a probable guard: a small region without permissions, adjacent to
// one with some.
func (s *state) guardPages() {
	for i := range s.Accesses {
		s.Accesses[i].LikelyGuard = s.likelyGuard(s.Accesses[i].Address)
	}
}

// likelyGuard is rust-minidump's rule (check_for_guard_pages of processor.rs). It also holds for free
// memory of Windows; findRegion leaves that out.
func (s *state) likelyGuard(addr uint64) bool {
	i := s.regionIndex(addr)
	if i < 0 {
		return false
	}
	list := s.in.Regions
	g := &list[i]
	if g.accessible() || g.Last-g.Start >= guardMax {
		return false
	}
	before := i > 0 && list[i-1].Last+1 == g.Start && list[i-1].accessible()
	after := i+1 < len(list) && g.Last+1 == list[i+1].Start && list[i+1].accessible()
	return before || after
}
