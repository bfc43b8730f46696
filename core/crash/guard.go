package crash

import "crashglass/core/cpu"

// execute stands beside cpu's kinds of access, which instructions have; this
// one is had by the processor.
const execute cpu.Access = 1 << 7

// allows reports whether a region may be accessed so. What is not known is
// allowed.
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

// windowsAccess is the access that Windows says was tried, or 0.
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

// guardMax is the largest region that is taken for a guard: rust-minidump's bound.
const guardMax = 2 << 14

// guardPages marks accesses to what looks like a guard: a small region without
// any permission, right beside one that has some.
func (s *state) guardPages() {
	for i := range s.Accesses {
		s.Accesses[i].LikelyGuard = s.likelyGuard(s.Accesses[i].Address)
	}
}

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
