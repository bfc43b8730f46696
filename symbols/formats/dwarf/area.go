package dwarf

import (
	"cmp"
	"maps"
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
