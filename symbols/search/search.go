// Package search finds records in large files without reading them as a whole. Formats supply how
// a record is read; this package knows where to read, and how certain the result is.
//
//   - A [Search] is for lines of text, whose places are not known: it reads a file in blocks.
//   - A [List] is for records of one size, which stand in the order of a number.
//   - A [State] remembers the answers that were found, until the file is scanned and they are compared.
//   - [Pages] reads a file in pages and keeps the recent ones.
//
// A found record is certain if the records that cover one address are near each other, and its
// neighbours are in order. The absence of a record is never certain. So the result of a search is
// "found" or "not certain", and the latter needs a scan. Writers sort the records; where they did
// not, the probes that are read at first or the neighbours of a record show it.
//
// Nothing here knows a format, and nothing here is safe for use by several goroutines, apart from
// State.Doubt.
//
// Read search.go first, then block.go, runs.go, bisect.go and window.go, which it needs; list.go and state.go
// stand alone.
package search

import (
	"cmp"
	"slices"

	"crashglass/core/base/ranges"
	"crashglass/core/base/recent"
)

// A Series is all records with one kind of number, such as the addresses of functions. Its records
// stand in one section of the file, in up to four runs of ascending numbers.
type Series int

// A Layout describes a file to search.
type Layout struct {
	Count    int64 // of blocks
	Size     int64 // of a block, in the unit of the records' offsets
	Sections []int // of each series: the order in which files have them

	// Read reads the records of a block. The Search keeps what it returns.
	Read func(number int64) (*Block, error)
}

// A Search finds records: it reads a block of the file, and continues with the block that must
// contain the wanted record.
type Search struct {
	Layout
	Reads int   // blocks that were read
	Seen  []int // of each series: records that the probes have
	Flags uint8 // of all probes

	blocks recent.Cache[int64, *Block]

	probes   [][]probe // of each series: blocks with which all bisections begin
	disorder []bool    // of each series: records in them are out of place
	runs     [][]run   // of each series: none if it is unsorted

	sections []edges // of the same blocks
}

// Limits of reading.
const (
	probeCount = 32 // blocks that are read at first
	fewProbes  = 8  // of a section: too few
	moreProbes = 16 // of such a section
	widest     = 16 // blocks of a window
	farthest   = 2  // blocks in which a record may begin that is around others
	mostSteps  = 64 // of a bisection
	mostEmpty  = 32 // blocks without a record, in one step
)

// edges are the lowest and the highest section in a block.
type edges struct {
	number      int64
	first, last int
}

// New makes a search that has read nothing. Probe, Refine for some series, and Divide are next.
func New(l Layout) *Search {
	n := len(l.Sections)
	return &Search{Layout: l, probes: make([][]probe, n), disorder: make([]bool, n), runs: make([][]run, n), Seen: make([]int, n)}
}

// Probe reads blocks all over the file.
func (s *Search) Probe() error { return s.spread(-1, s.Count, probeCount) }

// Refine probes a section that is small beside the file, if it has too few probes. Most probes of a
// file with 900 MB of functions and 30 MB of unwind rules are in the former, and one or two in the
// latter do not show its runs. If none of a section has been seen, it lies between two probes, or is
// not there.
func (s *Search) Refine(k Series) error {
	if len(s.probes[k]) >= fewProbes {
		return nil
	}
	r := bracket{low: -1, high: s.Count}
	r.within(s.sections, s.Sections[k])
	return s.spread(r.low, r.high, moreProbes)
}

// Divide finds the runs of each series.
func (s *Search) Divide() (err error) {
	for k := range s.runs {
		slices.SortFunc(s.probes[k], func(a, b probe) int { return cmp.Compare(a.number, b.number) })
		if s.runs[k], err = s.runsOf(Series(k)); err != nil {
			return err
		}
	}
	return nil
}

// spread probes n blocks between two, the first and the last one among them. It reads all of them before
// it returns an error, so that the parts of a file at a host are requested at once.
func (s *Search) spread(low, high int64, n int64) (err error) {
	last := low
	for i := range n {
		number := low + 1 + (high-low-2)*i/(n-1)
		if number <= last || number >= high || s.probed(number) {
			continue
		}
		last = number
		b, failed := s.block(number)
		if failed != nil {
			err = cmp.Or(err, failed)
			continue
		}
		s.probe(number, b)
	}
	return err
}

// probed reports whether a block with records is a probe.
func (s *Search) probed(number int64) bool {
	return slices.ContainsFunc(s.sections, func(e edges) bool { return e.number == number })
}

func (s *Search) probe(number int64, b *Block) {
	if b.last >= 0 {
		s.sections = append(s.sections, edges{number, b.first, b.last})
	}
	s.Flags |= b.Flags
	for k, rows := range b.Rows {
		if s.Seen[k] += len(rows); len(rows) > 0 {
			s.probes[k] = append(s.probes[k], probe{number, b.middle[k]})
			s.disorder[k] = s.disorder[k] || isDisordered(rows)
		}
	}
}

// block returns a block, from the cache if it is there.
func (s *Search) block(number int64) (*Block, error) {
	if b, ok := s.blocks.Get(number); ok {
		return b, nil
	}
	b, err := s.Read(number)
	if err != nil {
		return nil, err
	}
	s.Reads++ // not before: parts of a file at a host arrive later
	b.finish(s.Layout.Sections)
	s.blocks.Put(number, b, b.bytes())
	return b, nil
}

// readShare is how many blocks a scan reads in the time in which a search reads and scans one: measured
// on a disk with two processors, and in a browser with four workers.
const readShare = 4

// TooMany reports whether the searches have read as much as a scan would.
func (s *Search) TooMany() bool { return s.Reads > probeCount && int64(s.Reads) > s.Count/readShare }

// Find returns the record of a series that has a number. It reports false if it is not certain. It
// searches every run of the series: of all records that cover the number, the one that starts last
// is used.
func (s *Search) Find(k Series, v uint64) (none ranges.Range, ok bool) {
	if int64(s.Reads) > probeCount+s.Count { // a hostile file; scanning it costs less
		return none, false
	}
	var windows []*window
	for i := range s.runs[k] {
		run := &s.runs[k][i]
		low, high, ok := s.bisect(k, v, run)
		if !ok {
			return none, false
		}
		w, ok := s.window(k, v, *run, low, high)
		if !ok {
			return none, false
		}
		windows = append(windows, w)
	}
	r, ok := has(windows, v)
	for i := range windows {
		for n := 0; n < farthest && !ok && windows[i].widen(windows[i].from-1); n++ {
			r, ok = has(windows, v)
		}
	}
	for _, w := range windows {
		if !ok || !w.back(r.Start) || !w.ordered() {
			return none, false
		}
	}
	return has(windows, v)
}
