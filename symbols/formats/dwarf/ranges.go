package dwarf

import (
	"cmp"
	"fmt"
	"slices"
)

// A span is a half-open range of addresses in DWARF.
type span struct{ start, end uint64 }

// none is the value that linkers write for dropped code: -1, or -2 in .debug_ranges, where -1 means
// something else. Older ones leave 0, or 1 in lists of ranges, which would end at 0
// (https://reviews.llvm.org/D81784, _bfd_clear_contents in GNU's bfd/reloc.c).
func (s sizes) none() uint64 { return 1<<(8*uint64(s.addr)) - 2 }

// live reports whether a range is code that the linker kept.
func (z sizes) live(s span) bool { return s.start > 1 && s.start < s.end && s.start < z.none() }

// address reads a value that is an address, or the index of one.
func (u *unit) address(v value) uint64 {
	if v.form == formAddr {
		return v.v
	}
	return u.indexedAddress(v.v)
}

// indexedAddress reads an address of .debug_addr (section 7.27); a split unit uses its skeleton's.
// An address that cannot be read is 0, where no code is.
func (u *unit) indexedAddress(index uint64) uint64 {
	from := u
	if u.skeleton != nil {
		from = u.skeleton
	}
	addr, err := from.indexed("addr", from.addrs, index, u.addr)
	u.group.file.noteError(err)
	return addr
}

// base is the address that offsets in range lists are counted from.
func (u *unit) base() uint64 {
	if u.skeleton != nil && !u.low.set() {
		u = u.skeleton
	}
	if !u.low.set() {
		return 0
	}
	return u.address(u.low)
}

// appendRanges appends where the code of an entry is (section 2.17), as far as
// it is in the program. budget bounds the ranges that are read in a unit.
func (u *unit) appendRanges(out []span, low, high, list value, budget *int) []span {
	n := len(out)
	if list.set() {
		var err error
		if out, err = u.appendList(out, list, budget); err != nil {
			u.group.file.note("%v", err)
		}
		if len(out) > n {
			return out
		}
	}
	if !low.set() || !high.set() {
		return out
	}
	s := span{start: u.address(low)}
	if isAddress(high.form) {
		s.end = u.address(high)
	} else {
		s.end = s.start + high.v
	}
	if u.live(s) {
		out = append(out, s)
	}
	return out
}

const maxRanges = 1 << 22

// maxShared is how often a list of ranges may be referred to, on average.
// Compilers write one for each entry that wants one.
const maxShared = 4

// rangeBudget is how many ranges a unit, or all units of a group, may have: a
// damaged one refers to the same long list again and again. The shortest
// entries are of 8 bytes in .debug_ranges and of 2 in .debug_rnglists.
func (u *unit) rangeBudget() int {
	room := u.group.rangeRoom()
	if u.skeleton != nil {
		room += u.skeleton.group.rangeRoom()
	}
	return int(min(64+maxShared*room, maxRanges))
}

func (g *group) rangeRoom() uint64 {
	return g.section("ranges").size()/8 + g.section("rnglists").size()/2
}

// disjoint joins those spans from an index on that overlap. Listed twice, a
// range would make two of each in it, and those two four.
func disjoint(spans []span, from int) []span {
	tail := spans[from:]
	slices.SortFunc(tail, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	kept := spans[:from]
	for _, s := range tail {
		if n := len(kept); n > from && s.start < kept[n-1].end {
			kept[n-1].end = max(kept[n-1].end, s.end)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// appendList appends the ranges of a list, as far as they are code. How long a list is shows when it is
// read, so the window grows. With an error the ranges before the defect are returned.
func (u *unit) appendList(out []span, list value, budget *int) ([]span, error) {
	s, off, parse, err := u.listAt(list)
	if err != nil || s.size() == 0 {
		return out, err
	}
	n := len(out)
	for window := uint64(512); ; window *= 8 {
		if u.group.file.limits.work.Exceeded() {
			return out[:n], errWork
		}
		data, err := s.upTo(off, window)
		if err != nil {
			return out, err
		}
		r := buffer{b: data, big: u.group.big}
		spent := *budget
		out = parse(u, out[:n], &r, &spent)
		u.group.file.spend(uint64(r.at))
		if spent <= 0 {
			*budget = 0
			return out, fmt.Errorf("%s at %#x: the unit at %#x and those before it have more ranges than there is room for in the section", s.name, off, u.off)
		}
		if !r.bad {
			*budget = spent
			return out, nil
		}
		if uint64(len(data)) < window {
			return out, fmt.Errorf("%s at %#x: a list has no end", s.name, off)
		}
	}
}

func (u *unit) listAt(list value) (*section, uint64, func(*unit, []span, *buffer, *int) []span, error) {
	if u.version < 5 {
		g, off := u.group, list.v
		if u.skeleton != nil {
			g, off = u.skeleton.group, off+u.skeleton.ranges
		}
		return g.section("ranges"), off, (*unit).parseRanges, nil
	}
	s := u.group.section("rnglists")
	if list.form != formRnglistx {
		return s, list.v + u.group.packed[u.off].rnglists, (*unit).parseRnglist, nil
	}
	off, err := u.indexed("rnglists", u.rnglists, list.v, u.offset)
	return s, u.rnglists + off, (*unit).parseRnglist, err
}

// parseRanges reads a list of version 2 to 4: pairs of addresses.
func (u *unit) parseRanges(out []span, r *buffer, budget *int) []span {
	base := u.base()
	for {
		s := span{r.word(u.addr), r.word(u.addr)}
		if *budget--; r.bad || *budget <= 0 || s == (span{}) {
			return out
		}
		if s.start == 1<<(8*uint64(u.addr))-1 {
			base = s.end
			continue
		}
		if s.start >= u.none() {
			continue
		}
		s.start += base
		s.end += base
		if u.live(s) {
			out = append(out, s)
		}
	}
}

// parseRnglist reads a list of version 5 (section 7.25).
func (u *unit) parseRnglist(out []span, r *buffer, budget *int) []span {
	l := list5{u: u, base: u.base(), length: (*buffer).uleb}
	for {
		kind := r.u8()
		if *budget--; r.bad || *budget <= 0 || kind == rangeEnd {
			return out
		}
		if s, ok := l.entry(r, kind); ok && u.live(s) && !r.bad {
			out = append(out, s)
		}
	}
}

// A list5 reads the entries of lists of version 5: ranges have the kinds DW_RLE (section 7.25), and
// locations begin with the same ones.
type list5 struct {
	u      *unit
	base   uint64
	dead   bool // the base is that of code that the linker dropped
	length func(*buffer) uint64
}

// entry reads the range of an entry. It reports false for one that only sets the base.
func (l *list5) entry(r *buffer, kind uint8) (s span, ok bool) {
	switch kind {
	case rangeBasex:
		l.setBase(l.u.indexedAddress(r.uleb()))
		return s, false
	case rangeBase:
		l.setBase(r.word(l.u.addr))
		return s, false
	case rangeStartxEndx:
		s = span{l.u.indexedAddress(r.uleb()), l.u.indexedAddress(r.uleb())}
	case rangeStartxLength:
		s.start = l.u.indexedAddress(r.uleb())
		s.end = s.start + l.length(r)
	case rangeOffsetPair:
		if s = (span{l.base + l.length(r), l.base + l.length(r)}); l.dead {
			s = span{}
		}
	case rangeStartEnd:
		s = span{r.word(l.u.addr), r.word(l.u.addr)}
	case rangeStartLength:
		s.start = r.word(l.u.addr)
		s.end = s.start + r.uleb()
	default:
		r.fail()
	}
	return s, true
}

// setBase sets the address that offsets count from.
func (l *list5) setBase(base uint64) { l.base, l.dead = base, base <= 1 || base >= l.u.none() }
