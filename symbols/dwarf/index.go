package dwarf

import (
	"cmp"
	"slices"
	"sort"
)

// A place says that a unit has code somewhere.
type place struct {
	span
	unit   int32
	around int32 // the place that this one begins inside of, -1 for none
}

// An index finds the units of an address. There may be several, and all are
// asked: a unit may say that it has code from its first function to its last
// one, with functions of other units between them. So this is no table of
// core/ranges, in which an address has one owner.
type index struct {
	units    []*unit // those that have code, in the order of the file
	places   []place // in the order of addresses
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
			x.places = append(x.places, place{span: s, unit: id})
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

// sort puts the places in order. Of those that begin at one address the unit
// that is first in the file comes last, so that it is asked first.
func (x *index) sort() {
	slices.SortFunc(x.places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.unit, a.unit))
	})
	var open []int32 // places that have begun and are not known to have ended
	for i := range x.places {
		p := &x.places[i]
		for len(open) > 0 && x.places[open[len(open)-1]].end <= p.start {
			open = open[:len(open)-1]
		}
		if p.around = -1; len(open) > 0 {
			p.around = open[len(open)-1]
		}
		open = append(open, int32(i))
	}
}

// maxAround bounds how many places around each other are looked at for one
// address. Ranges of units are disjoint where linkers fold nothing.
const maxAround = 256

// unitsAt returns the units that have an address, in the order of the file.
func (x *index) unitsAt(addr uint64) (ids []int32) {
	at := int32(sort.Search(len(x.places), func(i int) bool { return x.places[i].start > addr }) - 1)
	for n := 0; at >= 0 && n < maxAround; n++ {
		p := x.places[at]
		if addr < p.end && !slices.Contains(ids, p.unit) {
			ids = append(ids, p.unit)
		}
		at = p.around
	}
	slices.Sort(ids)
	return ids
}
