package breakpad

import "bytes"

// A symbol is the content of a FUNC or PUBLIC line.
type symbol struct {
	name        string
	start, size uint64
	stated      uint64 // the size of a public symbol, in the line behind it; 0 for none
	params      uint32
	public      bool
	multiple    bool
	bad         bool
}

// parseFunc reads the fields after FUNC except the name, and checks only that there is a name.
func parseFunc(f *fields) (r symbol) {
	r.multiple = f.flag("m")
	r.start, r.size, r.params = f.hex(), f.hex(), f.hex32()
	r.bad = f.bad || !f.more()
	return r
}

// parsePublic reads the fields after PUBLIC except the name.
func parsePublic(f *fields) (r symbol) {
	r.public = true
	r.multiple = f.flag("m")
	r.start, r.params = f.hex(), f.hex32()
	r.bad = f.bad || !f.more()
	return r
}

// publicSize begins a line that we write behind a PUBLIC record: the number of bytes that are proved
// to be the function's. PUBLIC has no field for it. Other readers skip INFO lines that they do not know.
const publicSize = "INFO PUBLIC_SIZE "

// statedSize reads the size in the line behind the PUBLIC record at a unit offset; 0 if there is none.
func (f *File) statedSize(at int64) uint64 {
	r := f.t.linesFrom(at, f.t.size())
	r.next()
	line, _, _ := r.next()
	rest, ok := bytes.CutPrefix(line, []byte(publicSize))
	if !ok {
		return 0
	}
	fields := fieldsOf(rest)
	size := fields.hex()
	if fields.bad {
		return 0
	}
	return size
}

// symbolAt reads the FUNC or PUBLIC record at a unit offset. A stack scan looks up many functions
// that are no frames, so this does not read bodies.
func (f *File) symbolAt(at int64) (symbol, bool) {
	if s, ok := f.cache.symbols.Get(at); ok {
		return s, !s.bad
	}
	line, err := f.lineAt(at)
	s := parseSymbol(line)
	if err != nil {
		f.failed(err)
		return s, false
	}
	if s.public {
		s.stated = f.statedSize(at)
	}
	f.cache.symbols.Put(at, s, 64+len(s.name))
	return s, !s.bad
}

// functionAt reads the FUNC record at a unit offset, which covers an address.
func (f *File) functionAt(at int64, rel uint64) (symbol, bool) {
	s, ok := f.symbolAt(at)
	f.doubt(ok && !s.public && rel-s.start < s.size)
	return s, ok
}

// parseSymbol reads a whole FUNC or PUBLIC record.
func parseSymbol(line []byte) (s symbol) {
	k, rest := kindOf(line)
	f := fieldsOf(rest)
	switch k {
	case kindFunc:
		s = parseFunc(&f)
	case kindPublic:
		s = parsePublic(&f)
	default: // the file has changed since it was scanned
		s.bad = true
	}
	s.name = string(f.rest())
	return s
}

func (f *File) failed(err error) {
	f.certain(false)
	f.notes.add(err.Error(), 0, 0, 1)
}
