package dwarf

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/ranges"
)

// aranges is what .debug_aranges says (section 6.1.2): which unit has code
// where. Not all compilers write it, and some linkers forget parts, so it only
// hints where to look first.
type aranges struct {
	owners ranges.Table // by address, the number of a unit
	places []place      // in the order of the section
}

// at returns the unit that is said to have code at an address.
func (a *aranges) at(addr uint64) (unit int32, ok bool) {
	r, ok := a.owners.Find(addr)
	return int32(r.Value), ok
}

// arangesOf reads the section when it is first asked for.
func (f *File) arangesOf(x *index) *aranges {
	if x.aside != nil {
		return x.aside
	}
	x.aside = &aranges{}
	s := f.main.section("aranges")
	if s.size() == 0 || !f.spend(s.size()) {
		return x.aside
	}
	data, err := s.src.Read("dwarf: .debug_aranges", 0, s.size())
	if err != nil {
		f.note("%v", err)
		return x.aside
	}
	if err := x.readAranges(buffer{b: data, big: f.main.big}); err != nil {
		f.note("%v", err)
	}
	for _, p := range x.aside.places {
		x.aside.owners.Add(p.start, p.end-p.start, int64(p.unit))
	}
	x.aside.owners.Finish()
	return x.aside
}

// readAranges reads the sets of the section. One of a unit that is not in the
// index is left out.
func (x *index) readAranges(r buffer) error {
	for r.len() > 0 {
		at := r.at
		n, offsetSize := r.length()
		if r.bad || n > uint64(r.len()) {
			return fmt.Errorf("dwarf: .debug_aranges at %#x: set of %d bytes, the section has %d more", at, n, len(r.b)-min(r.at, len(r.b)))
		}
		set := buffer{b: r.b[:r.at+int(n)], at: r.at, big: r.big}
		r.skip(n)
		version, unit := set.u16(), set.word(offsetSize)
		addr, selector := set.u8(), set.u8()
		if version != 2 || selector != 0 || set.bad {
			return fmt.Errorf("dwarf: .debug_aranges at %#x: version %d with selectors of %d bytes, known is 2 without", at, version, selector)
		}
		if id, ok := x.unitAt(unit); ok && x.units[id].addr == addr {
			x.readSet(&set, at, id)
		}
	}
	return nil
}

// readSet reads pairs of an address and a size, up to one of zeros. The first
// lies at a multiple of the size of a pair from the start of the set.
func (x *index) readSet(r *buffer, from int, id int32) {
	u := x.units[id]
	pair := 2 * int(u.addr)
	r.skip(uint64(-(r.at-from)%pair+pair) % uint64(pair))
	for r.len() >= pair {
		start, size := r.word(u.addr), r.word(u.addr)
		if start == 0 && size == 0 {
			return
		}
		if s := (span{start, start + size}); u.live(s) {
			x.aside.places = append(x.aside.places, place{s, id})
		}
	}
}

// unitAt returns the unit of the program whose header is at an offset.
func (x *index) unitAt(off uint64) (id int32, ok bool) {
	i, ok := slices.BinarySearchFunc(x.units, off, func(u *unit, off uint64) int { return cmp.Compare(u.withLines().off, off) })
	return int32(i), ok
}
