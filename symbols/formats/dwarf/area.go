package dwarf

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"crashglass/core/base/ranges"
)

// An area is a range of addresses at which the same units have code: a few, or the many of a crowd.
// It ends where the next one begins.
type area struct {
	start    uint64
	from, to int32 // of index.few
	crowd    int32 // -1 for none
}

// maxFew is how many units are tried one after another. Linkers that fold identical functions let a
// handful of units share an address.
const maxFew = 8

// A crowd is a group of neighbouring areas at which more than maxFew units claim code. dsymutil
// writes such units: each begins with its first function and ends with its last one, and the linker
// has put functions of all units between.
type crowd struct {
	units []int32 // in the order of the file once it is settled
	*settled
}

// A sweep visits the places in the order of addresses.
type sweep struct {
	x     *index
	ends  []int32       // places in the order of their ends
	here  map[int32]int // how many places at the current address each unit has
	crowd int32         // that the address is in, -1 for none
}

// divide makes areas of the places, which it puts in order. Its time is linear in the places, and
// not in pairs that overlap.
func (x *index) divide() {
	slices.SortStableFunc(x.places, func(a, b unitSpan) int { return cmp.Compare(a.start, b.start) })
	n := len(x.places)
	s := sweep{x: x, ends: make([]int32, n), here: map[int32]int{}, crowd: -1}
	for i := range s.ends {
		s.ends[i] = int32(i)
	}
	slices.SortFunc(s.ends, func(a, b int32) int { return cmp.Compare(x.places[a].end, x.places[b].end) })
	x.areas, x.few, x.crowds = nil, nil, nil
	for next := 0; len(s.ends) > 0; {
		at := x.places[s.ends[0]].end
		if next < n {
			at = min(at, x.places[next].start)
		}
		for len(s.ends) > 0 && x.places[s.ends[0]].end == at {
			unit := x.places[s.ends[0]].unit
			if s.here[unit]--; s.here[unit] == 0 {
				delete(s.here, unit)
			}
			s.ends = s.ends[1:]
		}
		first := next
		for ; next < n && x.places[next].start == at; next++ {
			s.here[x.places[next].unit]++
		}
		s.area(at, x.places[first:next])
	}
}

// area ends the area before an address and begins the one there, where some places begin.
func (s *sweep) area(at uint64, begun []unitSpan) {
	x := s.x
	switch {
	case len(s.here) <= maxFew:
		from := int32(len(x.few))
		x.few = slices.AppendSeq(x.few, maps.Keys(s.here))
		slices.Sort(x.few[from:])
		x.areas = append(x.areas, area{at, from, int32(len(x.few)), -1})
		s.crowd = -1
	case s.crowd < 0:
		s.crowd = int32(len(x.crowds))
		x.crowds = append(x.crowds, crowd{units: slices.Collect(maps.Keys(s.here))}) // settle sorts them
		x.areas = append(x.areas, area{at, 0, 0, s.crowd})
	default:
		for _, p := range begun { // settle removes duplicates
			x.crowds[s.crowd].units = append(x.crowds[s.crowd].units, p.unit)
		}
	}
}

// unitsAt returns the units that may have code at an address, in the order of
// the file, or the crowd of them.
func (x *index) unitsAt(addr uint64) ([]int32, *crowd) {
	i := sort.Search(len(x.areas), func(i int) bool { return x.areas[i].start > addr }) - 1
	switch {
	case i < 0:
		return nil, nil
	case x.areas[i].crowd >= 0:
		return nil, &x.crowds[x.areas[i].crowd]
	}
	return x.few[x.areas[i].from:x.areas[i].to], nil
}

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
