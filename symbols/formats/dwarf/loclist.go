package dwarf

import (
	"crashglass/core/values/variables"
)

// Kinds of entries of a location list (DW_LLE, section 7.7.3). Those of GNU's
// split units are written otherwise and have the first five.
const (
	locEnd          = 0
	locBasex        = 1
	locStartxEndx   = 2
	locStartxLength = 3
	locOffsetPair   = 4
	locDefault      = 5
	locBase         = 6
	locStartEnd     = 7
	locStartLength  = 8
	locViewPair     = 9 // GNU's DW_LLE_view_pair
)

// maxLocations bounds the entries of a list.
const maxLocations = 1 << 16

// A locations is a list being read.
type locations struct {
	u    *unit
	r    buffer
	base uint64
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
		l := locations{u: u, r: buffer{b: data, big: u.group.big}, base: u.base(), addr: addr}
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

// locationList finds a location list and the parser of its entries.
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

// contains reports whether a range contains the address.
func (l *locations) contains(start, end uint64) bool { return start <= l.addr && l.addr < end }

// expr16 reads an expression behind a length of two bytes.
func (l *locations) expr16() []byte { return l.r.take(int(l.r.u16())) }

// expr reads an expression behind a length.
func (l *locations) expr() []byte {
	n := l.r.uleb()
	if n > uint64(l.r.len()) {
		l.r.fail()
		return nil
	}
	return l.r.take(int(n))
}

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
	var start, stop uint64
	switch l.r.u8() {
	case locEnd:
		return nil, false, true
	case locBasex:
		l.base = l.u.indexedAddress(l.r.uleb())
		return nil, false, false
	case locStartxEndx:
		start, stop = l.u.indexedAddress(l.r.uleb()), l.u.indexedAddress(l.r.uleb())
	case locStartxLength:
		start = l.u.indexedAddress(l.r.uleb())
		stop = start + uint64(l.r.u32())
	case locOffsetPair:
		start, stop = l.base+uint64(l.r.u32()), l.base+uint64(l.r.u32())
	default:
		l.r.fail()
	}
	expr = l.expr16()
	return expr, l.contains(start, stop), false
}

// version5 reads an entry of version 5.
func (l *locations) version5() (expr []byte, hit, end bool) {
	var start, stop uint64
	live := true
	switch l.r.u8() {
	case locEnd:
		return nil, false, true
	case locBasex:
		l.base = l.u.indexedAddress(l.r.uleb())
		return nil, false, false
	case locBase:
		l.base = l.r.word(l.u.addr)
		return nil, false, false
	case locViewPair:
		l.r.skipLEB()
		l.r.skipLEB()
		return nil, false, false
	case locDefault:
		l.fallback = l.expr()
		return nil, false, false
	case locStartxEndx:
		start, stop = l.u.indexedAddress(l.r.uleb()), l.u.indexedAddress(l.r.uleb())
	case locStartxLength:
		start = l.u.indexedAddress(l.r.uleb())
		stop = start + l.r.uleb()
	case locOffsetPair:
		live = l.base > 1 && l.base < l.u.none()
		start, stop = l.base+l.r.uleb(), l.base+l.r.uleb()
	case locStartEnd:
		start, stop = l.r.word(l.u.addr), l.r.word(l.u.addr)
	case locStartLength:
		start = l.r.word(l.u.addr)
		stop = start + l.r.uleb()
	default:
		l.r.fail()
	}
	expr = l.expr()
	return expr, live && l.contains(start, stop), false
}
