package breakpad

// An index is where the records of a file are. Offsets are in units of the
// text. It holds no pointer into the file and no copy of its text.
type index struct {
	funcs   table
	inits   table // STACK CFI INIT
	frames  table // STACK WIN 4
	fpo     table // STACK WIN 0
	publics pairs // by address
	files   idTable
	origins idTable

	// rest says where a record's body goes on after records of other kinds:
	// by the offset of a FUNC the first of more lines and inlines, by that of
	// a STACK CFI INIT the first of more rows. No writer we know makes such
	// files, but the format allows them.
	rest pairs

	module int64 // offset of MODULE, or -1
	codeID int64 // offset of INFO CODE_ID, or -1

	lines, inlines bool // there are any
}

// finish brings every part into order.
func (x *index) finish(n *notes) {
	for _, t := range []struct {
		table *table
		what  string
	}{
		{&x.funcs, "FUNC records overlap: of those that cover an address the last to start is used"},
		{&x.inits, "STACK CFI INIT records overlap: of those that cover an address the last to start is used"},
		{&x.frames, ""}, // these nest by intention
		{&x.fpo, ""},
	} {
		if n0 := t.table.finish(); n0 > 0 && t.what != "" {
			n.add(t.what, 0, 0, n0)
		}
	}
	x.publics.finish()
	x.files.finish()
	x.origins.finish()
	x.rest.finish()
}

// bytes is the memory that the index takes up.
func (x *index) bytes() int {
	return x.funcs.bytes() + x.inits.bytes() + x.frames.bytes() + x.fpo.bytes() +
		x.publics.bytes() + x.files.bytes() + x.origins.bytes() + x.rest.bytes()
}
