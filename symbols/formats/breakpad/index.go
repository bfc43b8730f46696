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
	files   idTable
	origins idTable

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
	x.publics.reset()
	x.rest.reset()
	x.files.reset()
	x.origins.reset()
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
	x.publics.finish()
	x.files.finish()
	x.origins.finish()
	x.rest.finish()
}

// find returns the offset of the record of a series that has a number.
func (x *index) find(k series, v uint64) (int64, bool) {
	var r ranges.Range
	var ok bool
	switch k {
	case byFile:
		return x.files.find(uint32(v))
	case byOrigin:
		return x.origins.find(uint32(v))
	case byFunc:
		r, ok = x.funcs.Find(v)
	case byWin:
		r, ok = x.frames.Find(v)
	case byInit:
		r, ok = x.inits.Find(v)
	}
	return r.Value, ok
}

// bytes is the memory of the index.
func (x *index) bytes() int {
	return x.funcs.Bytes() + x.inits.Bytes() + x.frames.Bytes() + x.fpo.Bytes() +
		x.publics.Bytes() + x.files.bytes() + x.origins.bytes() + x.rest.Bytes()
}
