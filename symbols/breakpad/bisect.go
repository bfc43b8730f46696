package breakpad

import (
	"math/bits"
	"slices"
	"sort"
)

// A bracket is the blocks between which a record must be: in the block low the
// middle one has a number that is not higher, in the block high it has.
type bracket struct {
	low, high         int64
	highAt            int64 // the block high or, if it has no record, the next one that has
	lowKey, highKey   uint64
	knowLow, knowHigh bool // low and high are such blocks; otherwise the ends of a section
	hit               bool // low is a block with a record that has the number
}

// start returns the bracket that the probes of a run leave for a number. Where the
// run before ends, the middle record is one of that run and says nothing.
func (r *run) start(v uint64) bracket {
	out := bracket{low: -1, high: r.to + 1}
	if r.from > 0 {
		out.low = r.from
	}
	i := sort.Search(len(r.probes), func(i int) bool { return r.probes[i].middle > v })
	if i < len(r.probes) {
		p := r.probes[i]
		out.high, out.highAt, out.highKey, out.knowHigh = p.number, p.number, p.middle, true
	}
	if i > 0 {
		p := r.probes[i-1]
		out.low, out.lowKey, out.knowLow = p.number, p.middle, true
	}
	return out
}

// mostLearned bounds the probes of a run.
const mostLearned = 1 << 12

// learn adds a block as a probe, so that the next search begins nearer. It ignores blocks that the
// run shares with another one, and blocks out of order.
func (r *run) learn(number int64, middle uint64) {
	i := sort.Search(len(r.probes), func(i int) bool { return r.probes[i].number >= number })
	switch {
	case len(r.probes) >= mostLearned || number <= r.from || number >= r.to:
	case i < len(r.probes) && (r.probes[i].number == number || r.probes[i].middle < middle):
	case i > 0 && r.probes[i-1].middle > middle:
	default:
		r.probes = slices.Insert(r.probes, i, probe{number, middle})
	}
}

// bisect returns the blocks in which the record with a number should be. A wrong result only causes
// a scan.
func (s *search) bisect(k series, v uint64, in *run) (low, high int64, ok bool) {
	r := in.start(v)
	for step := 0; step < mostSteps && r.high-r.low > 1; step++ {
		if !s.step(k, v, in, &r, r.guess(v, step%2 == 0)) {
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

// guess returns a block inside of the bracket: where the number would be if they
// were spread evenly or, every other time, in the middle.
func (r *bracket) guess(v uint64, evenly bool) int64 {
	at := r.low + (r.high-r.low)/2
	if evenly && r.knowLow && r.knowHigh && v < r.highKey {
		hi, lo := bits.Mul64(uint64(r.high-r.low), v-r.lowKey)
		part, _ := bits.Div64(hi, lo, r.highKey-r.lowKey) // v < highKey, so it fits
		at = r.low + int64(part)
	}
	return min(max(at, r.low+1), r.high-1)
}

// step makes the bracket smaller by what is in a block or, where that has no
// record that tells, in those after it.
func (s *search) step(k series, v uint64, in *run, r *bracket, at int64) bool {
	beside := false // records that one of the series may follow
	for i := at; i < r.high && i < at+mostEmpty; i++ {
		b, err := s.block(i)
		if err != nil {
			return false
		}
		if len(b.rows[k]) > 0 {
			in.learn(i, b.middle[k])
		}
		switch {
		case b.covers(k, v):
			r.low, r.hit = i, true
			return true
		case len(b.rows[k]) > 0 && b.middle[k] <= v:
			r.low, r.lowKey, r.knowLow = i, b.middle[k], true
			return true
		case len(b.rows[k]) > 0:
			r.high, r.highAt, r.highKey, r.knowHigh = at, i, b.middle[k], true
			return true
		case b.last < b.first:
		case b.first > section[k] && !r.knowHigh:
			r.high = at
			return true
		case b.last < section[k] && !r.knowLow:
			r.low = i
			return true
		default:
			beside = true
		}
	}
	switch {
	case at+mostEmpty >= r.high && !beside || r.knowLow && !r.knowHigh:
		r.high = at
	case r.knowHigh && !r.knowLow:
		r.low = at
	default:
		return false
	}
	return true
}
