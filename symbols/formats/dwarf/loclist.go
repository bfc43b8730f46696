package dwarf

import "crashglass/core/values/variables"

// Kinds of entries of a location list (DW_LLE, section 7.7.3) that range lists lack. Those above locDefault
// are one more than the same kind of a range list. GNU's split units have the first five kinds.
const (
	locDefault     = 5
	locStartLength = 8 // the last with a range
	locViewPair    = 9 // GNU's DW_LLE_view_pair
)

const maxLocations = 1 << 16

// A locations is a list being read.
type locations struct {
	list5
	r    buffer
	addr uint64 // of the query

	fallback []byte // the default location, which applies where no range does
}

// locationAt returns the expression of a list that applies at an address (section 2.6.2).
func (u *unit) locationAt(list value, addr uint64) ([]byte, error) {
	s, off, next, err := u.locationList(list)
	if err != nil {
		return nil, variables.Damaged("%v", err)
	}
	for window := uint64(512); ; window *= 8 {
		data, err := s.upTo(off, window)
		if err != nil {
			return nil, variables.Damaged("%v", err)
		}
		if !u.group.file.limits.entries.Spend(int64(len(data))) {
			return nil, variables.Damaged("%v", errWork)
		}
		l := locations{list5: list5{u: u}, r: buffer{b: data, big: u.group.big}, addr: addr}
		l.setBase(u.base())
		for range maxLocations {
			expr, hit, end := next(&l)
			if l.r.bad {
				break
			}
			if hit {
				return expr, nil
			}
			if end && l.fallback != nil {
				return l.fallback, nil
			}
			if end {
				return nil, variables.Gone("it has no place at this instruction")
			}
		}
		if !l.r.bad || uint64(len(data)) < window {
			return nil, variables.Damaged("%s at %#x: a list has no end", s.name, off)
		}
	}
}

func (u *unit) locationList(list value) (*section, uint64, func(*locations) ([]byte, bool, bool), error) {
	moved := u.group.packed[u.off].loclists
	switch {
	case u.version >= 5 && list.form == formLoclistx:
		off, err := u.indexed("loclists", u.loclists, list.v, u.offset)
		return u.group.section("loclists"), u.loclists + off, (*locations).version5, err
	case u.version >= 5:
		return u.group.section("loclists"), list.v + moved, (*locations).version5, nil
	case u.skeleton != nil:
		return u.group.section("loc"), list.v + moved, (*locations).split, nil
	}
	return u.group.section("loc"), list.v, (*locations).pairs, nil
}

func (l *locations) contains(start, end uint64) bool { return start <= l.addr && l.addr < end }

// expr16 reads an expression behind a length of two bytes.
func (l *locations) expr16() []byte { return l.r.take(int(l.r.u16())) }

// pairs reads an entry of version 2 to 4.
func (l *locations) pairs() (expr []byte, hit, end bool) {
	start, stop := l.r.word(l.u.addr), l.r.word(l.u.addr)
	switch {
	case start == 0 && stop == 0:
		return nil, false, true
	case start == 1<<(8*uint64(l.u.addr)-1)<<1-1:
		l.base = stop
		return nil, false, false
	}
	expr = l.expr16()
	return expr, l.contains(l.base+start, l.base+stop), false
}

// split reads an entry of GNU's split units of version 4
// (https://gcc.gnu.org/wiki/DebugFission).
func (l *locations) split() (expr []byte, hit, end bool) {
	kind := l.r.u8()
	if kind == rangeEnd {
		return nil, false, true
	}
	if kind > rangeOffsetPair {
		l.r.fail()
	}
	l.length = func(r *buffer) uint64 { return uint64(r.u32()) }
	s, ok := l.entry(&l.r, kind)
	if ok {
		expr = l.expr16()
	}
	return expr, ok && l.contains(s.start, s.end), false
}

func (l *locations) version5() (expr []byte, hit, end bool) {
	kind := l.r.u8()
	switch {
	case kind == rangeEnd:
		return nil, false, true
	case kind == locViewPair:
		l.r.skipLEB()
		l.r.skipLEB()
		return nil, false, false
	case kind == locDefault:
		l.fallback = l.r.sized()
		return nil, false, false
	case kind > locDefault && kind <= locStartLength:
		kind--
	}
	l.length = (*buffer).uleb
	s, ok := l.entry(&l.r, kind)
	if ok {
		expr = l.r.sized()
	}
	return expr, ok && l.contains(s.start, s.end), false
}
