package crash

import "crashglass/core/cpu"

// pointerRegister is the register that the address of the failed access was made
// of: of two, the one whose value lies nearer to it, or the one that is null.
func (s *state) pointerRegister() string {
	if s.fault.op < 0 || s.fault.op >= len(s.ops) {
		return ""
	}
	m := &s.ops[s.fault.op]
	if m.Width != 0 { // a vector of addresses
		return ""
	}
	target := s.fault.addr
	if s.has(NullPointer) {
		target = 0 // an element of null may lie nearer to its index
	}
	best, distance := "", uint64(0)
	for _, r := range []cpu.Reg{m.Base, m.Index} {
		if r == cpu.None || r == s.in.Arch.PC {
			continue
		}
		v, ok := s.regs.Get(r)
		if !ok {
			continue
		}
		if d := max(v, target) - min(v, target); best == "" || d < distance {
			best, distance = s.in.Arch.RegName(r), d
		}
	}
	return best
}
