package dwarf

import (
	"slices"
	"sync"
)

// Large debug information is searched. .debug_aranges names the unit with code at an address, and
// only the header and the entries of that unit are read. A function that covers the address is a
// certain answer. Its absence is not: not all compilers write the section, so then the headers of
// all units are read.

// A unitSearch answers queries until all headers were read.
type unitSearch struct {
	f       *File
	hints   *index   // places alone: its units are read when they are needed
	headers []uint64 // where each unit of the hints begins, ascending

	mu    sync.Mutex // guards units; the one of the file may be held
	units map[uint64]*unit
}

// maxNextUnit bounds the units that may lie between a known one and the wanted one.
const maxNextUnit = 64

// newUnitSearch is nil if every query needs all headers: units of other files are found through
// them, and without .debug_aranges all units are.
func (f *File) newUnitSearch() *unitSearch {
	if !f.opt.Search || f.main.extra != nil || len(f.parts) > 0 {
		return nil
	}
	var places []unitSpan
	s := &unitSearch{f: f, units: map[uint64]*unit{}}
	sets := []uint64{}
	err := f.eachArange(func(unit uint64, addr uint8) (int32, bool) {
		sets = append(sets, unit)
		return int32(len(sets) - 1), addr == 4 || addr == 8
	}, func(p unitSpan) { places = append(places, p) })
	if err != nil || len(places) == 0 {
		return nil // arangesOf returns the same error and records a note
	}
	s.headers = slices.Compact(slices.Sorted(slices.Values(sets)))
	s.hints = &index{places: places}
	for i := range places {
		at, _ := slices.BinarySearch(s.headers, sets[places[i].unit])
		places[i].unit = int32(at)
	}
	s.hints.divide()
	return s
}

// searching reports whether queries are still answered without all headers.
func (f *File) searching() bool {
	if f.x == nil && !f.begun {
		f.begun = true
		if s := f.newUnitSearch(); s != nil {
			f.search.Store(s)
			f.state.Begin()
		}
	}
	return f.x == nil && f.search.Load() != nil
}

// searchAt is at without the headers of all units. It may miss a function.
func (f *File) searchAt(addr uint64) (p *parsed, best run, ok bool) {
	s := f.search.Load()
	ids, crowd := s.hints.unitsAt(addr)
	if crowd != nil {
		return nil, run{}, false
	}
	for _, id := range ids {
		u := s.unit(s.headers[id])
		if u == nil || !u.claims(addr) {
			return nil, run{}, false
		}
		q := f.parsedOf(u)
		r, has := q.runAt(addr)
		if !has {
			return nil, run{}, false
		}
		if !ok || r.start > best.start {
			p, best, ok = q, r, true
		}
	}
	return p, best, ok
}

// claims reports whether the unit's own ranges contain an address.
func (u *unit) claims(addr uint64) bool {
	if u.tag != tagCompileUnit && u.tag != tagSkeletonUnit {
		return false
	}
	budget := u.rangeBudget()
	return slices.ContainsFunc(u.placed(&budget), func(s span) bool { return s.start <= addr && addr < s.end })
}

// unit reads the header at an offset. It is nil if there is no unit, or if neither another unit nor
// the end of the section follows: then the length, or the offset in .debug_aranges, is wrong.
func (s *unitSearch) unit(off uint64) *unit {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.header(off)
	if u == nil || u.version == 0 || u.end < s.f.main.section("info").size() && s.header(u.end) == nil {
		return nil
	}
	return u
}

// header reads the header of a unit, once.
func (s *unitSearch) header(off uint64) *unit {
	if u, ok := s.units[off]; ok {
		return u
	}
	alone := newLookahead(s.f.main)
	alone.last = off // what follows is not wanted
	u, err := s.f.main.readUnit(off, alone)
	if err != nil {
		u = nil
	}
	s.units[off] = u
	return u
}

// around returns the unit that has an offset of the section: that of a set
// below, or one of those that follow it.
func (s *unitSearch) around(off uint64) *unit {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, at := slices.BinarySearch(s.headers, off)
	if !at {
		i--
	}
	next := uint64(0)
	if i >= 0 {
		next = s.headers[i]
	}
	for range maxNextUnit {
		u := s.header(next)
		if u == nil || off < u.dies {
			break
		}
		if off < u.end {
			return u
		}
		next = u.end
	}
	s.f.state.Doubt()
	return nil
}

// remember keeps an answer to be compared: the unit of an address, and the run of its function.
func (s *unitSearch) remember(rel uint64, p *parsed, r run) {
	unit, f := p.unit.off, s.f
	f.state.Remember(func() bool {
		now, is, ok := f.at(rel)
		return ok && now.unit.off == unit && is.span == r.span
	})
}

// endSearch reads the headers of all units, unless that has to wait. It does so
// too where there is no .debug_aranges, as clang and rustc leave it out.
func (f *File) endSearch() error {
	if f.x != nil || !f.opt.Search {
		return nil
	}
	f.waits = true
	defer func() { f.waits = false }()
	_, err := f.readIndex()
	return err
}

// passing is called while the headers of all units are read.
func (f *File) passing(done, total int64) error {
	if f.waits && f.opt.BeforeRead != nil {
		if err := f.opt.BeforeRead(done); err != nil {
			return err
		}
	}
	return f.progress(done, total)
}

// compare is called when the headers of all units are known for the first time.
func (f *File) compare() {
	if f.search.Swap(nil) == nil {
		return
	}
	f.state.End()
	f.state.Compare()
	f.state.Answers = nil
	if f.state.Differ > 0 {
		f.note("dwarf: %d of the addresses that were queried before all units were known are in another function", f.state.Differ)
	}
}

// Scan reads the headers of all units of a file that was only searched, and returns how many
// earlier answers have changed.
func (f *File) Scan() (differ int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err = f.readIndex()
	return f.state.Differ, err
}

// Unanswered returns the number of queries that are open because the headers of all units could
// not be read at the time.
func (f *File) Unanswered() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state.Unanswered
}

// unitSurely is unitAt for queries about variables, which go from entry to
// entry. The lock of the file must not be held.
func (g *group) unitSurely(off uint64) *unit {
	u := g.unitAt(off)
	if u == nil && g.file.search.Load() != nil {
		g.file.mu.Lock()
		if g.file.endSearch() != nil {
			g.file.state.Unanswered++
		}
		g.file.mu.Unlock()
		u = g.unitAt(off)
	}
	return u
}
