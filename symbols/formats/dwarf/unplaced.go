package dwarf

import "slices"

// Old compilers, and those that write one section per function, make units without the ranges of
// their code. With LTO most units have no code and no ranges either. The cheap sources are tried
// first: .debug_aranges, then the sequences of line programs, then the functions themselves.

// maxUnplaced bounds the bytes of such units that are read without regard to their line programs. A
// unit beyond that counts if its line program has code.
const maxUnplaced = 16 << 20

// mayHaveCode reports whether a unit without ranges may have code. room is the rest of maxUnplaced.
func (f *File) mayHaveCode(u *unit, room *uint64) bool {
	if size := u.end - u.off; size <= *room {
		*room -= size
		return true
	}
	return u.hasLines && u.group.hasRows(u.lines)
}

// hasRows reports whether the line program at an offset is more than a header. LTO leaves only the
// header in units without code.
func (g *group) hasRows(off uint64) bool {
	data, err := g.section("line").upTo(off, 32)
	if err != nil {
		return false
	}
	r := buffer{b: data, big: g.big}
	n, offsetSize := r.length()
	end := uint64(r.at) + n
	if r.u16() >= 5 {
		r.skip(2) // sizes of an address and a selector
	}
	header := r.word(offsetSize)
	return !r.bad && header < end && uint64(r.at)+header < end
}

// placeMore places units by the next source, and returns false after the last one.
func (f *File) placeMore(x *index) bool {
	sources := []func(*index){f.placeByAranges, f.placeByLines, f.placeByFunctions}
	for len(x.unplaced) > 0 {
		before := len(x.places)
		sources[x.evidence](x)
		x.evidence++
		if len(x.places) > before {
			x.divide()
			return true
		}
	}
	return false
}

// placeByAranges places units as .debug_aranges says. They stay among those to
// be placed: it may lack a part.
func (f *File) placeByAranges(x *index) {
	said := map[int32][]span{}
	for _, p := range f.arangesOf(x).places {
		said[p.unit] = append(said[p.unit], p.span)
	}
	for _, id := range x.unplaced {
		x.place(id, said[id])
	}
}

// placeByLines places units at the sequences of their line programs. One that
// several units share is run once.
func (f *File) placeByLines(x *index) {
	var l lines
	known := map[lineKey][]span{}
	for _, id := range x.unplaced {
		u := x.units[id].withLines()
		if !u.hasLines {
			continue
		}
		spans, ok := known[u.lineKey()]
		if !ok {
			spans = l.sequencesOf(u)
			known[u.lineKey()] = spans
		}
		if f.spend(uint64(len(spans))) {
			x.place(id, spans)
		}
	}
}

// sequencesOf runs the line program of a unit. Its defects are noted when its lines are read.
func (l *lines) sequencesOf(u *unit) (spans []span) {
	l.reset(u)
	_ = l.read()
	for _, s := range l.seqs {
		spans = append(spans, s.span)
	}
	return disjoint(spans, 0)
}

// placeByFunctions reads the units, and places them where their functions are.
func (f *File) placeByFunctions(x *index) {
	read := f.reader(x)
	for _, id := range x.unplaced {
		x.place(id, slices.Clone(read.runs(id)))
	}
	x.unplaced = nil
}
