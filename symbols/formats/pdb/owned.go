package pdb

import "crashglass/core/base/ranges"

// owned is the code of each function in a unit without the code of others, in order. It is nil if
// no functions overlap.
type owned [][]ranges.Range

// owned assigns code that several functions claim. If thousands claim all code of a module, each
// line is still listed once.
func (u *unit) owned() owned {
	if !u.overlaps() {
		return nil
	}
	own := make(owned, len(u.funcs))
	for i := range u.byAddr.Len() {
		r := u.byAddr.Range(i)
		own[r.Value] = append(own[r.Value], r)
	}
	return own
}

// overlaps reports whether code of a function answers for another one.
func (u *unit) overlaps() bool {
	if u.byAddr.Len() > len(u.funcs) {
		return true
	}
	for i := range u.byAddr.Len() {
		r := u.byAddr.Range(i)
		if fn := u.funcs[r.Value]; r.Start != uint64(fn.start) || r.Start+r.Size != uint64(fn.end) {
			return true
		}
	}
	return false
}

// of is what function j has; nil is all of it.
func (o owned) of(j int) []ranges.Range {
	if o == nil {
		return nil
	}
	return o[j]
}

// within lists code that was moved as one, where it is the function's.
func (l *lister) within(u *unit, b *body, q moved, own []ranges.Range) {
	if own == nil {
		l.moved(u, b, q)
		return
	}
	for _, r := range own {
		from, to := max(uint64(q.from), r.Start), min(uint64(q.from)+uint64(q.size), r.Start+r.Size)
		if from < to {
			l.moved(u, b, moved{uint32(from), q.start + uint32(from) - q.from, uint32(to - from)})
		}
	}
}
