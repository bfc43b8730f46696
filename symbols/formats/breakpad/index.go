package breakpad

import "crashglass/core/base/ranges"

// An index has the offsets of a file's records. Offsets are in units of the text. It holds no
// pointer into the file and no copy of its text.
type index struct {
	funcs   ranges.Table
	inits   ranges.Table // STACK CFI INIT
	frames  ranges.Table // STACK WIN 4
	fpo     ranges.Table // STACK WIN 0
	publics pairs        // by address
	files   pairs        // by number, as are origins
	origins pairs

	// rest says where a record's body continues after records of other kinds: from the offset of a
	// FUNC to further lines and inlines, from that of a STACK CFI INIT to further rows. No known
	// writer makes such files, but the format allows them.
	rest pairs

	module int64 // offset of MODULE, or -1
	codeID int64 // offset of INFO CODE_ID, or -1

	lines, inlines bool // there are any
}

// reset empties an index and keeps its memory.
func (x *index) reset() {
	for _, t := range []*ranges.Table{&x.funcs, &x.inits, &x.frames, &x.fpo} {
		t.Reset()
	}
	for _, p := range []*pairs{&x.publics, &x.rest, &x.files, &x.origins} {
		p.reset()
	}
	x.module, x.codeID, x.lines, x.inlines = -1, -1, false, false
}

// finish brings every part into order.
func (x *index) finish(n *notes) {
	for _, t := range []struct {
		table *ranges.Table
		what  string
	}{
		{&x.funcs, "FUNC records overlap: of those that cover an address the last to start is used"},
		{&x.inits, "STACK CFI INIT records overlap: of those that cover an address the last to start is used"},
		{&x.frames, ""}, // these nest by intention in every file that has them
		{&x.fpo, ""},
	} {
		if o := t.table.Finish(); o != (ranges.Overlaps{}) && t.what != "" {
			n.add(t.what, 0, 0, o.Inside+o.Same)
		}
	}
	for _, p := range []*pairs{&x.publics, &x.rest, &x.files, &x.origins} {
		p.finish()
	}
}

func (x *index) find(k series, v uint64) (int64, bool) {
	var r ranges.Range
	var ok bool
	switch k {
	case byFile:
		return x.files.find(v)
	case byOrigin:
		return x.origins.find(v)
	case byFunc:
		r, ok = x.funcs.Find(v)
	case byWin:
		r, ok = x.frames.Find(v)
	case byInit:
		r, ok = x.inits.Find(v)
	}
	return r.Value, ok
}

func (x *index) bytes() (n int) {
	for _, g := range x.grids() {
		n += g.Bytes()
	}
	return n
}

// pairs is a list of keys with a file offset each, kept in ascending order of
// both. A key may occur more than once.
type pairs struct {
	ranges.Grid
	last     uint64
	disorder bool
}

func (p *pairs) add(key uint64, off int64) {
	p.disorder = p.disorder || key < p.last
	p.last = key
	p.Grid.Add(2, key, uint64(off), 0)
}

func (p *pairs) reset() {
	p.Grid.Reset()
	*p = pairs{Grid: p.Grid}
}

func (p *pairs) key(i int) uint64 { return p.At(i, 0) }
func (p *pairs) off(i int) int64  { return int64(p.At(i, 1)) }

// finish sorts the list if the file was unsorted.
func (p *pairs) finish() {
	if p.disorder {
		p.Order()
	}
}

// from returns the index of the first pair whose key is at least key.
func (p *pairs) from(key uint64) int {
	if key == 0 {
		return 0
	}
	return p.UpTo(key - 1)
}

// below returns the greatest key that is at most v, and the lowest of its offsets.
func (p *pairs) below(v uint64) (key uint64, off int64, ok bool) {
	i := p.UpTo(v) - 1
	if i < 0 {
		return 0, 0, false
	}
	key = p.key(i)
	return key, p.off(p.from(key)), true
}

// find returns the offset of the first record with a number, as in Breakpad; rust-minidump uses the last.
func (p *pairs) find(number uint64) (off int64, ok bool) {
	key, off, ok := p.below(number)
	return off, ok && key == number
}
