package dwarf

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/base/ranges"
)

// aranges has the contents of .debug_aranges (section 6.1.2): the unit of each range of code. Not
// all compilers write it, and some linkers omit parts, so it is only a hint which unit to try
// first.
type aranges struct {
	owners ranges.Table // by address, the number of a unit
	places []unitSpan   // in the order of the section
}

func (a *aranges) at(addr uint64) (unit int32, ok bool) {
	r, ok := a.owners.Find(addr)
	return int32(r.Value), ok
}

// arangesOf reads the section at the first request.
func (f *File) arangesOf(x *index) *aranges {
	if x.aside != nil {
		return x.aside
	}
	x.aside = &aranges{}
	err := f.eachArange(func(unit uint64, addr uint8) (int32, bool) {
		id, ok := x.unitAt(unit)
		return id, ok && x.units[id].addr == addr
	}, func(p unitSpan) { x.aside.places = append(x.aside.places, p) })
	f.noteError(err)
	for _, p := range x.aside.places {
		x.aside.owners.Add(p.start, p.end-p.start, int64(p.unit))
	}
	x.aside.owners.Finish()
	return x.aside
}

// eachArange reads the sets of the section. unitAt says which unit has a header
// at an offset and addresses of a size; a set of no unit is left out.
func (f *File) eachArange(unitAt func(off uint64, addr uint8) (id int32, ok bool), add func(unitSpan)) error {
	s := f.main.section("aranges")
	if s.size() == 0 || !f.spend(s.size()) {
		return nil
	}
	data, err := s.src.Read("dwarf: .debug_aranges", 0, s.size())
	if err != nil {
		return err
	}
	for r := (buffer{b: data, big: f.main.big}); r.len() > 0; {
		at := r.at
		n, offsetSize := r.length()
		if r.bad || n > uint64(r.len()) {
			return fmt.Errorf("dwarf: .debug_aranges at %#x: set of %d bytes, the section has %d more", at, n, len(r.b)-min(r.at, len(r.b)))
		}
		set := buffer{b: r.b[:r.at+int(n)], at: r.at, big: r.big}
		r.skip(n)
		version, unit := set.u16(), set.word(offsetSize)
		z := sizes{addr: set.u8()}
		selector := set.u8()
		if version != 2 || selector != 0 || set.bad {
			return fmt.Errorf("dwarf: .debug_aranges at %#x: version %d with selectors of %d bytes, known is 2 without", at, version, selector)
		}
		if id, ok := unitAt(unit, z.addr); ok {
			z.readSet(&set, at, func(s span) { add(unitSpan{s, id}) })
		}
	}
	return nil
}

// readSet reads pairs of an address and a size, up to one of zeros. The first
// lies at a multiple of the size of a pair from the start of the set.
func (z sizes) readSet(r *buffer, from int, add func(span)) {
	pair := 2 * int(z.addr)
	r.skip(uint64(-(r.at-from)%pair+pair) % uint64(pair))
	for r.len() >= pair {
		start, size := r.word(z.addr), r.word(z.addr)
		if start == 0 && size == 0 {
			return
		}
		if s := (span{start, start + size}); z.live(s) {
			add(s)
		}
	}
}

func (x *index) unitAt(off uint64) (id int32, ok bool) {
	i, ok := slices.BinarySearchFunc(x.units, off, func(u *unit, off uint64) int { return cmp.Compare(u.withLines().off, off) })
	return int32(i), ok
}
