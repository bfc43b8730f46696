package search

import (
	"iter"
	"slices"

	"crashglass/core/base/ranges"
)

// A window holds the records of one series in neighbouring blocks of a run, in the order of the
// file.
type window struct {
	s        *Search
	k        Series
	run      run
	parts    [][]ranges.Range // of each block that has any
	from, to int64            // blocks
	low      bool             // the run begins in it
	high     bool             // the run ends in it
}

// window reads the blocks from low to high, and further ones until it has a record after those that
// may have a number.
func (s *Search) window(k Series, v uint64, in run, low, high int64) (*window, bool) {
	w := &window{s: s, k: k, run: in, from: low, to: low - 1}
	for i := low; i <= high; i++ {
		if !w.widen(i) {
			return nil, false
		}
	}
	for !w.high && !w.passes(v) {
		if !w.widen(w.to + 1) {
			return nil, false
		}
	}
	return w, true
}

// passes reports whether the window ends with a record that has a higher number.
func (w *window) passes(v uint64) bool {
	if len(w.parts) == 0 {
		return false
	}
	last := w.parts[len(w.parts)-1]
	return last[len(last)-1].Start > v
}

// rows iterates over the records.
func (w *window) rows(yield func(ranges.Range) bool) {
	for _, part := range w.parts {
		for _, r := range part {
			if !yield(r) {
				return
			}
		}
	}
}

// back widens the window until a record is in it that starts below a number,
// before all that start there, or the run begins.
func (w *window) back(floor uint64) bool {
	for !w.low && !w.hasBelow(floor) {
		if !w.widen(w.from - 1) {
			return false
		}
	}
	return true
}

func (w *window) hasBelow(floor uint64) bool {
	for r := range w.rows {
		if r.Start < floor {
			return true
		}
	}
	return false
}

// ordered reports whether no record follows one with a higher number, except at the end of a run.
func (w *window) ordered() bool {
	ends := 0
	if w.from <= w.run.from+1 && w.run.from > 0 {
		ends++
	}
	if w.to >= w.run.to-1 && w.run.to < w.s.Count-1 {
		ends++
	}
	return descents(w.rows) <= ends
}

// descents counts the records that follow one with a higher number.
func descents(rows iter.Seq[ranges.Range]) (n int) {
	before := ranges.Range{Value: -1}
	for r := range rows {
		if r.Start < before.Start || r.Value <= before.Value {
			n++
		}
		before = r
	}
	return n
}

// widen adds a block at either end of the window. It reports false when that
// is too far away or cannot be read.
func (w *window) widen(number int64) bool {
	switch {
	case number < w.run.from:
		w.low = true
		return true
	case number > w.run.to:
		w.high = true
		return true
	case w.to-w.from >= widest:
		return false
	}
	b, err := w.s.block(number)
	if err != nil {
		return false
	}
	rows := b.Rows[w.k]
	if number > w.to {
		if len(rows) > 0 {
			w.parts = append(w.parts, rows)
		}
		w.to, w.high = number, len(rows) == 0 && b.first > w.s.Sections[w.k] && b.last >= 0 && !w.s.hasAfter(w.k, number)
		return true
	}
	if len(rows) > 0 {
		w.parts = slices.Insert(w.parts, 0, rows)
	}
	w.from, w.low = number, len(rows) == 0 && b.last >= 0 && b.last < w.s.Sections[w.k] && !w.s.hasBefore(w.k, number)
	return true
}

// hasAfter and hasBefore report whether a probe beyond a block has records of
// a series, so that its section does not end there.
func (s *Search) hasAfter(k Series, number int64) bool {
	n := len(s.probes[k])
	return n > 0 && s.probes[k][n-1].number > number
}

func (s *Search) hasBefore(k Series, number int64) bool {
	return len(s.probes[k]) > 0 && s.probes[k][0].number < number
}

// has returns the record of a number among the records of all windows, which are in the order of
// the file. It decides between overlapping records as every ranges.Table does.
func has(windows []*window, v uint64) (ranges.Range, bool) {
	var t ranges.Table
	var rows []ranges.Range
	for _, w := range windows {
		for r := range w.rows {
			if v-r.Start < r.Size {
				t.Add(r.Start, r.Size, int64(len(rows)))
				rows = append(rows, r)
			}
		}
	}
	t.Finish()
	piece, ok := t.Find(v)
	if !ok {
		return piece, false
	}
	return rows[piece.Value], true
}
