package dwarf

import (
	"cmp"
	"slices"
	"sort"
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

// A sweep visits the places in the order of addresses. The places at the current address form a
// linked list.
type sweep struct {
	x           *index
	ends        []int32 // places in the order of their ends
	before, aft []int32 // by place; the last one is the list's own
	here        int     // places in the list
	crowd       int32   // that the address is in, -1 for none
}

// divide makes areas of the places, which it puts in order. Its time is linear in the places, and
// not in pairs that overlap.
func (x *index) divide() {
	slices.SortStableFunc(x.places, func(a, b unitSpan) int { return cmp.Compare(a.start, b.start) })
	n := int32(len(x.places))
	s := sweep{x: x, ends: make([]int32, n), before: make([]int32, n+1), aft: make([]int32, n+1), crowd: -1}
	s.before[n], s.aft[n] = n, n
	for i := range s.ends {
		s.ends[i] = int32(i)
	}
	slices.SortFunc(s.ends, func(a, b int32) int { return cmp.Compare(x.places[a].end, x.places[b].end) })
	x.areas, x.few, x.crowds = nil, nil, nil
	for next := int32(0); len(s.ends) > 0; {
		at := x.places[s.ends[0]].end
		if next < n {
			at = min(at, x.places[next].start)
		}
		for len(s.ends) > 0 && x.places[s.ends[0]].end == at {
			s.leave(s.ends[0])
		}
		first := next
		for ; next < n && x.places[next].start == at; next++ {
			s.enter(next)
		}
		s.area(at, first, next)
	}
}

// leave takes the place that ends first off the list of places at the current address.
func (s *sweep) leave(i int32) {
	s.ends = s.ends[1:]
	s.aft[s.before[i]], s.before[s.aft[i]] = s.aft[i], s.before[i]
	s.here--
}

// enter adds a place at the end of the list of places at the current address.
func (s *sweep) enter(i int32) {
	list := int32(len(s.x.places))
	last := s.before[list]
	s.before[i], s.aft[i] = last, list
	s.aft[last], s.before[list] = i, i
	s.here++
}

// area ends the area before an address and begins the one there. The places
// from first to next begin at the address.
func (s *sweep) area(at uint64, first, next int32) {
	x, list := s.x, int32(len(s.x.places))
	switch {
	case s.here <= maxFew:
		from := int32(len(x.few))
		for i := s.aft[list]; i != list; i = s.aft[i] {
			x.few = append(x.few, x.places[i].unit)
		}
		slices.Sort(x.few[from:])
		x.few = append(x.few[:from], slices.Compact(x.few[from:])...)
		x.areas = append(x.areas, area{at, from, int32(len(x.few)), -1})
		s.crowd = -1
	case s.crowd < 0:
		s.crowd = int32(len(x.crowds))
		x.crowds = append(x.crowds, crowd{})
		for i := s.aft[list]; i != list; i = s.aft[i] {
			x.join(s.crowd, i)
		}
		x.areas = append(x.areas, area{at, 0, 0, s.crowd})
	default:
		for i := first; i < next; i++ {
			x.join(s.crowd, i)
		}
	}
}

// join adds the unit of a place to a crowd. settle removes duplicates.
func (x *index) join(crowd, place int32) {
	c := &x.crowds[crowd]
	c.units = append(c.units, x.places[place].unit)
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
