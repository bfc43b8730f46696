package pdb

import (
	"cmp"
	"slices"
	"sort"
)

// A span is a run of addresses that belongs to an item of some list.
type span struct {
	start, end uint32 // end is not part of it
	item       int32
}

// spans are disjoint and sorted.
type spans []span

// divide makes spans of ranges that may overlap. An address belongs to the
// range that starts last among those that cover it, and of several that start
// there, to the one with the lowest item. So do overlapping records of a .sym file:
// a range with a lying size takes nothing away from those inside it. There are
// at most twice as many spans as ranges. It takes over in, which it returns if
// nothing overlaps.
func divide(in []span) spans {
	if len(in) > 0 && disjoint(in) {
		return in
	}
	slices.SortStableFunc(in, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.item, a.item))
	})
	d := divider{out: make(spans, 0, len(in))}
	for _, s := range in {
		if s.start >= s.end {
			continue
		}
		d.upTo(s.start)
		d.at = s.start
		d.open = append(d.open, s)
	}
	d.upTo(^uint32(0))
	return d.out
}

// disjoint reports whether ranges are spans already, as nearly always.
func disjoint(in []span) bool {
	end := uint32(0)
	for _, s := range in {
		if s.start < end || s.start >= s.end {
			return false
		}
		end = s.end
	}
	return true
}

// A divider sweeps over the addresses. The range that started last is on top.
type divider struct {
	out  spans
	open []span
	at   uint32
}

func (d *divider) upTo(addr uint32) {
	for len(d.open) > 0 && d.at < addr {
		top := d.open[len(d.open)-1]
		if top.end <= d.at {
			d.open = d.open[:len(d.open)-1]
			continue
		}
		end := min(top.end, addr)
		d.out = append(d.out, span{d.at, end, top.item})
		d.at = end
	}
}

// find returns the span that covers addr.
func (s spans) find(addr uint32) (span, bool) {
	i := s.upTo(addr) - 1
	if i < 0 || addr >= s[i].end {
		return span{}, false
	}
	return s[i], true
}

// upTo is the number of spans that start at addr or below.
func (s spans) upTo(addr uint32) int {
	return sort.Search(len(s), func(i int) bool { return s[i].start > addr })
}

// startsIn reports whether a span starts at a to b, both included.
func (s spans) startsIn(a, b uint32) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].start >= a })
	return i < len(s) && s[i].start <= b
}

// endOf is start+size, or the highest address when that does not fit.
func endOf(start, size uint32) uint32 {
	if end := start + size; end >= start {
		return end
	}
	return ^uint32(0)
}
