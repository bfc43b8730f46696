package pdb

import (
	"cmp"
	"slices"
	"sort"
)

// A piece is a stretch of the image that a range of internal addresses became.
type piece struct {
	start, end uint32
	prolog     uint32  // bytes of it, of a frame record
	parts      []moved // in the order of the image; code may be added between them
}

// A moved is code that was moved as one.
type moved struct{ from, start, size uint32 }

// A file may look at so many runs for ranges that have many, and so many for
// each run that it has. Thousands of functions may claim to be as large as the
// program.
const (
	leastMapping  = 1 << 22
	mappingPerRun = 16
	freeRuns      = 64
)

// listing allows for the lines of a unit that is listed. Each is looked at once
// unless runs claim the same code.
func (a *addressMap) listing(u *unit) {
	if a.omap != nil {
		a.omap.work.Add(int64(len(u.lines.rows)))
	}
}

func (a *addressMap) mayList(lines int) bool { return a.omap == nil || a.omap.work.Spend(int64(lines)) }

// pieces translates a range. Runs that follow each other in the image are one
// piece, also when code was added between them. Code that was added before the
// first or behind the last counts to no function.
//
// Source: MapAddressRange in src/common/windows/omap.cc of Breakpad.
func (m *mapping) pieces(start, end uint32) (out []piece) {
	runs := m.clipped(uint64(start), uint64(end))
	slices.SortFunc(runs, func(a, b run) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.size, b.size)) })
	for i, r := range runs {
		before := run{}
		if i > 0 {
			before = runs[i-1]
		}
		if i == 0 || uint64(before.to)+uint64(before.size)+uint64(before.injected) < uint64(r.to) {
			out = append(out, piece{start: r.to})
		}
		last := &out[len(out)-1]
		last.end = r.to + r.size
		if r.size > 0 {
			last.parts = append(last.parts, moved{r.from, r.to, r.size})
		}
	}
	return slices.DeleteFunc(out, func(p piece) bool { return p.end <= p.start })
}

// clipped are the runs of a range, cut to it.
func (m *mapping) clipped(start, end uint64) (out []run) {
	first := sort.Search(len(m.source), func(i int) bool { return m.reach[i] > start })
	last := sort.Search(len(m.source), func(i int) bool { return uint64(m.source[i].from) >= end })
	if n := last - first; n > freeRuns && !m.work.Spend(int64(n)) {
		return nil
	}
	for i := first; i < last; i++ {
		if r, ok := m.source[i].clip(start, end); ok {
			out = append(out, r)
		}
	}
	return out
}

// clip cuts a run to a range of internal addresses, with what is behind it. It
// reports false when nothing is left.
func (r run) clip(start, end uint64) (run, bool) {
	from, behind := uint64(r.from), r.end()
	if end <= from || behind+uint64(r.removed) <= start {
		return run{}, false
	}
	if cut := uint32(start - min(from, start)); cut > 0 {
		r.from, r.to = r.from+cut, r.to+cut
		if gone := cut - min(cut, r.size); gone > 0 { // the range begins in what was removed
			r.injected -= min(gone, r.injected)
		}
		r.size -= min(cut, r.size)
	}
	if end < behind {
		r.size -= uint32(behind - max(end, uint64(r.from)))
		r.injected = 0
	} else {
		r.injected = min(r.injected, uint32(end-min(end, r.end())))
	}
	return r, r.size > 0 || r.injected > 0
}

// framePieces are the stretches of the image that a frame record became. The
// prolog and what follows it may be apart, and then are records of their own.
//
// Source: PrintFrameDataUsingPDB in src/common/windows/pdb_source_line_writer.cc
// of Breakpad.
func (a *addressMap) framePieces(r frameData) []piece {
	if a.omap == nil {
		return []piece{{start: r.start, end: r.end, prolog: r.prolog}}
	}
	if r.prolog == 0 || r.prolog >= r.end-r.start {
		return a.pieces(r.start, r.end)
	}
	prolog, body := a.pieces(r.start, r.start+r.prolog), a.pieces(r.start+r.prolog, r.end)
	for i := range prolog {
		prolog[i].prolog = prolog[i].end - prolog[i].start
	}
	if len(prolog) == 1 && len(body) == 1 && prolog[0].end == body[0].start {
		return []piece{{start: prolog[0].start, end: body[0].end, prolog: prolog[0].prolog}}
	}
	return append(prolog, body...)
}

// blockOf is where the block of code begins in which a public symbol answers
// for an address of the image: at the symbol, or where code behind the symbol
// was moved to.
func (a *addressMap) blockOf(rva uint32, rel uint64) (uint64, bool) {
	if a.omap == nil {
		return uint64(rva), uint64(rva) <= rel
	}
	r, ok := a.omap.at(uint32(rel))
	if !ok || r.end() <= uint64(rva) {
		return 0, false
	}
	return uint64(r.to) + uint64(max(rva, r.from)-r.from), true
}

// blocks are where a public symbol is in the image: once, and again for each
// block of its code that was moved on its own. The code ends at next.
//
// Source: PrintCodePublicSymbol of Breakpad, the same file.
func (a *addressMap) blocks(rva, next uint32, out []uint64) []uint64 {
	if a.omap == nil {
		return append(out, uint64(rva))
	}
	for _, r := range a.omap.clipped(uint64(rva), uint64(next)) {
		if r.size > 0 {
			out = append(out, uint64(r.to))
		}
	}
	return out
}
