package breakpad

import (
	"errors"

	"crashglass/core/bin"
	"crashglass/core/ranges"
)

// A search finds records without a scan: it reads a page of the file, scans its lines, and
// continues with the page that must contain the wanted record. Writers sort the records; if they
// did not, the probes or the neighbours of the record show it.
//
// A found record is certain if records that cover one address are near each other. The absence of a
// record is never certain, so a search answers "found" or "not certain".
type search struct {
	t      text
	pages  *pages
	page   int64 // lines that begin in so many units are a block
	blocks cache[*block]
	part   *scanner // which scans blocks, one after another
	ends   []byte   // in which ends of lines are looked for

	probes [seriesCount][]probe // blocks with which all bisections begin
	astray [seriesCount]bool    // records in them are out of place
	runs   [seriesCount][]run   // none if the series is unsorted

	sections       []edges          // of the same blocks
	seen           [seriesCount]int // records that the probes have
	lines, inlines bool             // the probes have any
	scans          int              // blocks that were read

	unsure bool // the current question needs a scan
}

// Limits of reading.
const (
	probeCount = 32      // blocks that are read when the file is opened
	widest     = 16      // blocks of a window
	farthest   = 2       // blocks in which a record may begin that is around others
	mostSteps  = 64      // of a bisection
	mostEmpty  = 32      // blocks without a record, in one step
	lineLook   = 1 << 10 // for the end of a line, at a time
)

// edges are the lowest and the highest section in a block.
type edges struct {
	number      int64
	first, last int
}

var errNoLine = errors.New("no line begins within reach")

// newSearch reads the probes of a file. page is in units.
func newSearch(src bin.Source, page int64) (*search, error) {
	p := paged(src, page)
	t, err := newText(bin.NewSource(p, src.Size()))
	if err != nil {
		return nil, err
	}
	s := &search{t: t, pages: p, page: page, part: newScanner(t)}
	return s, s.open()
}

// open reads the probes, and finds out where the series have their runs.
func (s *search) open() (err error) {
	last := int64(-1)
	for i := range int64(probeCount) {
		n := (s.count() - 1) * i / (probeCount - 1)
		if n <= last {
			continue
		}
		b, err := s.block(n)
		if err != nil {
			return err
		}
		s.probe(n, b)
		last = n
	}
	for k := range s.runs {
		if s.runs[k], err = s.runsOf(series(k)); err != nil {
			return err
		}
	}
	return nil
}

// probe remembers the contents of a block.
func (s *search) probe(number int64, b *block) {
	if b.last >= 0 {
		s.sections = append(s.sections, edges{number, b.first, b.last})
	}
	s.lines, s.inlines = s.lines || b.lines, s.inlines || b.inlines
	for k, rows := range b.rows {
		if s.seen[k] += len(rows); len(rows) > 0 {
			s.probes[k] = append(s.probes[k], probe{number, b.middle[k]})
			s.astray[k] = s.astray[k] || astray(rows)
		}
	}
}

// count is the number of blocks.
func (s *search) count() int64 { return (s.t.size() + s.page - 1) / s.page }

// block scans the lines that begin in a page.
func (s *search) block(number int64) (*block, error) {
	if b, ok := s.blocks.Get(number); ok {
		return b, nil
	}
	// The page first: its last line ends in what is read beyond it. An error comes again.
	s.pages.page(s.t.offset(number*s.page) / s.pages.size)
	from, err := s.lineFrom(number * s.page)
	if err != nil {
		return nil, err
	}
	to, err := s.lineFrom(min((number+1)*s.page, s.t.size()))
	if err != nil {
		return nil, err
	}
	s.part.again(from)
	if err := s.part.run(from, to, progressOf(s.t, nil)); err != nil {
		return nil, err
	}
	s.scans++ // nothing was read: parts of a file at a host arrive later
	b := blockOf(&s.part.index)
	s.blocks.Put(number, b, b.bytes())
	return b, nil
}

// lineFrom returns the start of the first line that begins after a unit, or
// with the text.
func (s *search) lineFrom(at int64) (int64, error) {
	if at <= 0 {
		return 0, nil
	}
	look := min(lineLook, max(s.page/8, 64))
	if s.ends == nil {
		s.ends = make([]byte, 3*look)
	}
	buf, scratch := s.ends[:look], s.ends[look:]
	for end := min(at+maxLine+lineLook, s.t.size()); at < end; {
		part := buf[:min(look, end-at)]
		if err := s.t.squeeze(part, at, scratch); err != nil {
			return 0, err
		}
		if i := newline(part, 0); i < len(part) {
			return at + int64(i) + 1, nil
		}
		at += int64(len(part))
	}
	if at == s.t.size() {
		return at, nil
	}
	return 0, errNoLine
}

// find returns the record of a series that has a number. It searches every run of the series: of
// all records that cover the number, the one that starts last is used.
func (s *search) find(k series, v uint64) (ranges.Range, bool) {
	if int64(s.scans) > probeCount+s.count() { // a hostile file; scanning it costs less
		s.unsure = true
		return ranges.Range{}, false
	}
	r, ok := s.look(k, v)
	s.unsure = s.unsure || !ok
	return r, ok
}

func (s *search) look(k series, v uint64) (none ranges.Range, ok bool) {
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

// stats counts the records in the probes.
func (s *search) stats() Stats {
	return Stats{
		Bytes: s.t.src.Size(), Funcs: s.seen[byFunc], CFI: s.seen[byInit], Win: s.seen[byWin],
		Lines: s.lines, Inlines: s.inlines, UTF16: s.t.unit == 2,
	}
}
