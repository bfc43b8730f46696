package search

import (
	"slices"
	"sort"
)

// A bracket is the range of blocks that must contain a record: in the block low the middle one has
// a number that is not higher, in the block high it has.
type bracket struct {
	low, high         int64
	highAt            int64 // the block high or, where that has no record, the next one that has
	lowMark, highMark mark
	knowLow, knowHigh bool // there are such blocks; otherwise the ends of a section
	nearest           mark // of the block that was read last
	hit               bool // low is a block with a record that has the number
}

// start returns the bracket that the probes of a run leave for a number. In the block where the
// previous run ends, the middle record belongs to that run and is ignored.
func (s *Search) start(k Series, r *run, v uint64) bracket {
	out := bracket{low: -1, high: r.to + 1}
	if r.from > 0 {
		out.low = r.from
	}
	i := sort.Search(len(r.probes), func(i int) bool { return r.probes[i].middle.number > v })
	if i < len(r.probes) {
		out.setHigh(r.probes[i], r.probes[i].number)
	}
	if i > 0 {
		out.setLow(r.probes[i-1])
	}
	out.within(s.sections, s.Sections[k])
	return out
}

// within makes a bracket without known ends smaller by blocks that are read: what
// has lower sections only stands before it, and what has higher ones behind it.
func (r *bracket) within(blocks []edges, section int) {
	for _, b := range blocks {
		if b.last < section && !r.knowLow && b.number < r.high {
			r.low = max(r.low, b.number)
		}
		if b.first > section && !r.knowHigh && b.number > r.low {
			r.high = min(r.high, b.number)
		}
	}
}

func (r *bracket) setLow(p probe) {
	r.low, r.lowMark, r.knowLow, r.nearest = p.number, p.middle, true, p.middle
}

// setHigh takes the block that the bracket ends with, too: it need not have the
// record.
func (r *bracket) setHigh(p probe, end int64) {
	r.high, r.highAt, r.highMark, r.knowHigh, r.nearest = end, p.number, p.middle, true, p.middle
}

// mostLearned bounds the probes of a run.
const mostLearned = 1 << 12

// learn adds a block as a probe, so that the next search begins nearer. It ignores blocks that the
// run shares with another one, and blocks out of order.
func (r *run) learn(number int64, middle mark) {
	i := sort.Search(len(r.probes), func(i int) bool { return r.probes[i].number >= number })
	switch {
	case len(r.probes) >= mostLearned || number <= r.from || number >= r.to:
	case i < len(r.probes) && (r.probes[i].number == number || r.probes[i].middle.number < middle.number):
	case i > 0 && r.probes[i-1].middle.number > middle.number:
	default:
		r.probes = slices.Insert(r.probes, i, probe{number, middle})
	}
}

// bisect returns the blocks in which the record with a number should be. A wrong result only causes
// a scan.
func (s *Search) bisect(k Series, v uint64, in *run) (low, high int64, ok bool) {
	r := s.start(k, in, v)
	for step := 0; step < mostSteps && r.high-r.low > 1; step++ {
		if !s.step(k, v, in, &r, s.guess(&r, v, step)) {
			return 0, 0, false
		}
		if r.hit {
			return r.low, r.low, true
		}
	}
	switch {
	case r.high-r.low > 1 || !r.knowLow && !r.knowHigh:
		return 0, 0, false
	case !r.knowLow:
		return r.high, r.highAt, true
	case !r.knowHigh:
		return r.low, r.low, true
	}
	return r.low, r.highAt, true
}

// guess returns a block inside of the bracket: where the number would be if numbers grew evenly
// and, alternately, at the pace around the last block. Every fourth guess is the middle, for files
// that mislead both.
func (s *Search) guess(r *bracket, v uint64, step int) int64 {
	at := r.low + (r.high-r.low)/2
	switch {
	case !r.knowLow && !r.knowHigh || step%4 == 3:
	case step%2 == 0 && r.knowLow && r.knowHigh && v < r.highMark.number:
		at = between(r.lowMark, r.highMark, v) / s.Size
	default:
		at = r.nearest.beside(v, (r.high-r.low)*s.Size) / s.Size
	}
	return min(max(at, r.low+1), r.high-1)
}

// step narrows the bracket by the records of a block or, if that has none of the series, of the
// blocks after it.
func (s *Search) step(k Series, v uint64, in *run, r *bracket, at int64) bool {
	for i := at; i < r.high && i < at+mostEmpty; i++ {
		b, err := s.block(i)
		if err != nil {
			return false
		}
		if len(b.Rows[k]) > 0 {
			in.learn(i, b.middle[k])
		}
		switch {
		case b.covers(k, v):
			r.low, r.hit = i, true
			return true
		case len(b.Rows[k]) > 0 && b.middle[k].number <= v:
			r.setLow(probe{i, b.middle[k]})
			return true
		case len(b.Rows[k]) > 0:
			r.setHigh(probe{i, b.middle[k]}, at)
			return true
		case b.last < b.first: // lines and INLINE records of a function that begins before
		case b.first > s.Sections[k] && !r.knowHigh:
			r.high = at
			return true
		case b.last < s.Sections[k] && !r.knowLow:
			r.low = i
			return true
		}
	}
	switch {
	case at+mostEmpty >= r.high || r.knowLow && !r.knowHigh:
		r.high = at
	case r.knowHigh && !r.knowLow:
		r.low = at
	default:
		return false
	}
	return true
}
