package dwarf

import (
	"slices"

	"crashglass/core/base/ranges"
)

// A settled crowd knows the unit of each function.
type settled struct{ owners ranges.Table }

// ownerIn returns the unit of a crowd that has the function of an address. If several functions
// cover it, the last to begin is used. .debug_aranges is trusted if the unit that it names has a
// function there; otherwise all units are read, once.
func (f *File) ownerIn(x *index, c *crowd, addr uint64) (owner int32, ok bool) {
	if c.settled == nil {
		if id, ok := f.arangesOf(x).at(addr); ok {
			if _, ok := f.parsedOf(x.units[id]).runAt(addr); ok {
				return id, true
			}
		}
		f.settle(x, c)
	}
	r, ok := c.owners.Find(addr)
	return int32(r.Value), ok
}

// settle finds out where the functions of a crowd's units are. A unit may be
// in several crowds, and is read for the first.
func (f *File) settle(x *index, c *crowd) {
	slices.Sort(c.units)
	c.units = slices.Compact(c.units)
	c.settled = &settled{}
	read := f.reader(x)
	for _, id := range c.units {
		for _, s := range read.runs(id) {
			c.owners.Add(s.start, s.end-s.start, int64(id))
		}
	}
	c.owners.Finish()
}

// A runsReader finds where the functions of units are, without their names.
type runsReader struct {
	reading
	f *File
	x *index
	p parsed
}

// reader makes a runsReader, which reuses its memory from unit to unit.
func (f *File) reader(x *index) *runsReader { return &runsReader{f: f, x: x} }

// runs returns where the functions of a unit are, which it reads if that is
// not known yet.
func (r *runsReader) runs(id int32) []span {
	if spans, ok := r.f.exact[id]; ok {
		return spans
	}
	u := r.x.units[id]
	if r.ahead == nil || r.ahead.group != u.group {
		r.ahead = newLookahead(u.group)
	}
	r.unit(u, &r.p, false, false)
	spans := make([]span, len(r.p.runs))
	for i, run := range r.p.runs {
		spans[i] = run.span
	}
	if r.f.exact == nil {
		r.f.exact = map[int32][]span{}
	}
	r.f.exact[id] = spans
	return spans
}
