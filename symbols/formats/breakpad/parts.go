package breakpad

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
)

// leastPart is the smallest part that is worth a goroutine, in units, and
// maxParts how many there are at most; each takes a chunk of memory.
const (
	leastPart = 8 << 20
	maxParts  = 8
)

// unknown stands for the record that the first lines or rows of a part belong to.
const unknown = -2

// scan scans a text, in parallel parts if the machine has several processors.
func scan(t text, opt Options) (*scanner, error) {
	parts := opt.Parts
	if parts <= 0 {
		parts = int(min(int64(runtime.GOMAXPROCS(0)), t.size()/leastPart, maxParts))
	}
	if parts > 1 {
		if s, err := scanParts(t, parts, opt.Progress); s != nil || err != nil {
			return s, err
		}
	}
	s := newScanner(t)
	if err := s.run(0, t.size(), progressOf(t, opt.Progress)); err != nil {
		return nil, err
	}
	s.index.finish(&s.notes)
	return s, nil
}

// Cut divides a file into at most n parts for [ScanPart]. It returns where they begin and, last,
// where the text ends; the unit of these numbers is internal.
func Cut(src bin.Source, n int) ([]int64, error) {
	t, err := newText(src)
	if err != nil {
		return nil, err
	}
	return t.cuts(n)
}

// ScanPart scans what lies between two neighbours of what [Cut] returned. The
// indexes of all parts of a file, one after another, are what [Options.Index]
// takes; so the parts may be scanned by several processes. progress may be nil.
func ScanPart(src bin.Source, from, to int64, progress func(done, total int64) error) ([]byte, error) {
	t, err := newText(src)
	if err != nil {
		return nil, err
	}
	if from < 0 || to < from || to > t.size() {
		return nil, fmt.Errorf("breakpad: part from %d to %d of a text of %d", from, to, t.size())
	}
	s := newPart(t, from)
	done := int64(0)
	err = s.run(from, to, func(units int64) error {
		if done += units; progress == nil {
			return nil
		}
		return progress(done*t.unit, (to-from)*t.unit)
	})
	if err != nil {
		return nil, err
	}
	return s.save(from, to), nil
}

func newPart(t text, from int64) *scanner {
	s := newScanner(t)
	s.begin(from)
	return s
}

// begin treats the text before from as unknown.
func (s *scanner) begin(from int64) {
	if from > 0 {
		s.fn, s.cfi, s.continued = unknown, unknown, true
	}
}

func (s *scanner) again(from int64) {
	s.reset()
	*s = scanner{t: s.t, index: s.index, room: s.room, fn: -1, cfi: -1}
	s.begin(from)
}

// scanParts returns nil if a part cannot be read without the one before it.
func scanParts(t text, n int, progress func(done, total int64) error) (*scanner, error) {
	cuts, err := t.cuts(n)
	if err != nil || len(cuts) < 3 {
		return nil, err
	}
	parts := make([]*scanner, len(cuts)-1)
	errs := make([]error, len(parts))
	report := progressOf(t, progress)
	var wait sync.WaitGroup
	for i := range parts {
		s := newPart(t, cuts[i])
		parts[i] = s
		wait.Go(func() {
			defer bug.Catch(&errs[i])
			errs[i] = s.run(cuts[i], cuts[i+1], report)
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	all := parts[0]
	for i, s := range parts[1:] {
		if s.lost {
			return nil, nil
		}
		all.join(s)
		parts[i+1] = nil
	}
	all.index.finish(&all.notes)
	return all, nil
}

// progressOf adds up the progress of several scanners. Its result is called with the number of
// units of each chunk.
func progressOf(t text, progress func(done, total int64) error) func(units int64) error {
	if progress == nil {
		return func(int64) error { return nil }
	}
	var mu sync.Mutex
	var done int64
	var stopped error
	return func(units int64) error {
		mu.Lock()
		defer mu.Unlock()
		if stopped == nil {
			done += units
			stopped = progress(done*t.unit, t.size()*t.unit)
		}
		return stopped
	}
}

// cuts divides a text into about n parts and returns where they begin, and the
// end of the last. Each but the first begins with a FUNC or STACK CFI INIT
// record, because most of what comes between belongs to one of these.
func (t text) cuts(n int) ([]int64, error) {
	total := t.size()
	cuts := []int64{0}
	for i := 1; i < n; i++ {
		at, err := t.cutFrom(total / int64(n) * int64(i))
		if err != nil {
			return nil, err
		}
		if at > cuts[len(cuts)-1] && at < total {
			cuts = append(cuts, at)
		}
	}
	return append(cuts, total), nil
}

// cutFrom returns where the next part may begin, or the end of the text when
// there is no such place near.
func (t text) cutFrom(at int64) (int64, error) {
	for _, reach := range []int64{cutReach, maxLine} { // nearly always it is near
		buf := make([]byte, min(reach, t.size()-at))
		if err := t.squeeze(buf, at, make([]byte, mostRead)); err != nil {
			return 0, err
		}
		best := -1
		for _, tag := range []string{"\nFUNC ", "\nSTACK CFI INIT "} {
			if i := bytes.Index(buf, []byte(tag)); i >= 0 && (best < 0 || i < best) {
				best = i
			}
		}
		if best >= 0 {
			return at + int64(best) + 1, nil
		}
	}
	return t.size(), nil
}

// cutReach is the size of the first search for the start of a part.
const cutReach = 32 << 10

// join appends what the scanner of the next part found.
func (s *scanner) join(next *scanner) {
	s.joinFacts(next)
	s.funcs.Join(&next.funcs)
	s.inits.Join(&next.inits)
	s.frames.Join(&next.frames)
	s.fpo.Join(&next.fpo)
	s.publics.join(&next.publics)
	s.rest.join(&next.rest)
	s.files.join(&next.files)
	s.origins.join(&next.origins)
}

// joinFacts merges the values outside of tables.
func (s *scanner) joinFacts(next *scanner) {
	for _, n := range next.notes.list {
		s.notes.add(n.Text, n.Line+s.line, n.Offset, n.Count)
	}
	s.line += next.line
	if s.codeID < 0 {
		s.codeID = next.codeID
	}
	s.lines = s.lines || next.lines
	s.inlines = s.inlines || next.inlines
}

func (p *pairs) join(next *pairs) {
	for i := range next.Len() {
		p.add(next.key(i), next.off(i))
	}
}

// A part of a file that one worker scans has at least leastOfWorker bytes, because less does not
// pay off, and at most mostOfWorker, because the memory of a worker never shrinks.
const (
	leastOfWorker = 16 << 20
	mostOfWorker  = 256 << 20
)

// PartsFor returns into how many parts a file is divided for so many workers.
func PartsFor(size int64, workers int) int {
	return int(max(min(size/leastOfWorker, int64(workers)), (size+mostOfWorker-1)/mostOfWorker, 1))
}
