package dwarf

import (
	"cmp"
	"slices"
	"sort"
)

// A place says that a unit has code somewhere.
type place struct {
	span
	unit int32
}

// An index finds the units of an address.
type index struct {
	units    []*unit // those that have code, in the order of the file
	places   []place // in the order of addresses
	tops     []uint64
	unplaced []int32 // units that do not say where their code is
}

// maxUnplaced bounds how many bytes of units are read because they do not say
// where their code is. With LTO most have none, and say nothing.
const maxUnplaced = 16 << 20

// readIndex reads the headers of all units.
func (f *File) readIndex() (*index, error) {
	if f.x != nil {
		return f.x, nil
	}
	f.main.units = nil
	if err := f.main.readUnits(f.progress); err != nil {
		return nil, err
	}
	if err := f.readOthers(); err != nil {
		return nil, err
	}
	x := &index{}
	var unplaced uint64
	budget := 64 + maxShared*int(min(f.main.rangeRoom(), 1<<40))
	for _, u := range f.main.units {
		if u.tag != tagCompileUnit && u.tag != tagSkeletonUnit {
			continue
		}
		id := int32(len(x.units))
		spans := u.placed(&budget)
		if len(spans) == 0 {
			if unplaced += u.end - u.off; unplaced > maxUnplaced || u.saysNowhere() {
				continue
			}
			x.unplaced = append(x.unplaced, id)
		}
		x.units = append(x.units, f.joined(u))
		for _, s := range spans {
			x.places = append(x.places, place{s, id})
		}
	}
	x.sort()
	f.x = x
	return x, nil
}

// placed is where the unit says that its code is.
func (u *unit) placed(budget *int) []span {
	return u.appendRanges(nil, u.low, u.high, u.list, budget)
}

// saysNowhere reports whether the unit says that it has no code any more.
func (u *unit) saysNowhere() bool { return u.list.set() || u.low.set() && u.high.set() }

// joined is a unit with the split unit that has its entries, if it is there.
func (f *File) joined(u *unit) *unit {
	split := f.split[u.id]
	if u.id == 0 || split == nil {
		return u
	}
	both := *split
	both.skeleton = u
	return &both
}

func (x *index) sort() {
	slices.SortStableFunc(x.places, func(a, b place) int { return cmp.Compare(a.start, b.start) })
	x.tops = topsOf(nil, len(x.places), func(i int) uint64 { return x.places[i].end })
}

// topsOf says for each of some ranges in the order of their starts where those
// up to it reach. It appends to tops.
func topsOf(tops []uint64, n int, end func(i int) uint64) []uint64 {
	top := uint64(0)
	for i := range n {
		top = max(top, end(i))
		tops = append(tops, top)
	}
	return tops
}

// maxOverlap bounds how many ranges below an address are looked at for those
// that reach it. Ranges of units are disjoint where linkers fold nothing.
const maxOverlap = 256

// unitsAt returns the units that have an address, in the order of the file.
func (x *index) unitsAt(addr uint64) (ids []int32) {
	i := sort.Search(len(x.places), func(i int) bool { return x.places[i].start > addr })
	for low := max(i-maxOverlap, 0); i > low && x.tops[i-1] > addr; i-- {
		if p := x.places[i-1]; addr < p.end && !slices.Contains(ids, p.unit) {
			ids = append(ids, p.unit)
		}
	}
	slices.Sort(ids)
	return ids
}
