package breakpad

import (
	"cmp"
	"slices"

	"crashglass/core/base/ranges"
)

// maxBody is how many units of text are read for one function: enough for 200,000 line records. If
// a file has lost the records in between, a lookup must not parse the whole file.
const maxBody = 4 << 20

// maxDepth bounds the chain of inlined calls at one address.
const maxDepth = 1024

// A body holds the records after a FUNC: its source lines and inlined calls.
type body struct {
	lines   []line
	inlines []inline

	lineAt ranges.Table   // finds indexes of lines
	depths []ranges.Table // for each depth, finds indexes of inlines

	// own is the file of the first line that is not inlined, if any. In files whose INLINE records
	// lack the file, it is the file of the function itself.
	own    uint32
	hasOwn bool
}

type line struct {
	start      uint64
	line, file uint32
}

// An inline is one range of an INLINE record.
type inline struct {
	start, size uint64
	depth       uint32
	line, file  uint32 // of the call
	origin      uint32
	hasFile     bool // false in the old form of the record
}

// bodyAt reads the body after the FUNC record at a unit offset.
func (f *File) bodyAt(at int64) *body {
	if b, ok := f.cache.bodies.Get(at); ok {
		return b
	}
	b := &body{}
	if err := f.eachPart(at, maxBody, func(text []byte, at int64) bool {
		return f.bodyLine(b, text, at)
	}); err != nil {
		f.failed(err)
		return b // the earlier records are right
	}
	b.finish()
	if !f.state.InDoubt() {
		f.cache.bodies.Put(at, b, 256+24*len(b.lines)+64*len(b.inlines))
	}
	return b
}

// eachPart calls fn with each line of the body after the record at a unit offset, until fn returns
// false; then with the lines of each later part of the body.
func (f *File) eachPart(at, limit int64, fn func(line []byte, at int64) bool) error {
	n, err := f.eachLine(at, limit, true, fn)
	for i := f.x.rest.from(uint64(at)); err == nil && i < f.x.rest.Len() && f.x.rest.key(i) == uint64(at); i++ {
		if limit -= n; limit <= 0 {
			break
		}
		if f.saved {
			if _, err = f.lineAt(f.x.rest.off(i)); err != nil { // for its doubts
				break
			}
		}
		n, err = f.eachLine(f.x.rest.off(i), limit, false, fn)
	}
	return err
}

func (f *File) eachLine(at, limit int64, skip bool, fn func(line []byte, at int64) bool) (used int64, err error) {
	r := f.t.linesFrom(at, limit)
	r.room = f.room
	defer func() {
		if cap(r.room) <= 2*mostRead {
			f.room = r.room
		}
	}()
	for {
		line, pos, ok := r.next()
		if !ok {
			if r.err == nil && r.end < f.t.size() {
				f.notes.addLate("record is longer than what is read of one", f.t.offset(at))
				f.certain(false)
			}
			return r.end - at, r.err
		}
		if !skip && !fn(line, pos) {
			return r.at - at, nil
		}
		skip = false
	}
}

// bodyLine reports false where the body ends, or is interrupted, by the same rule as the scan.
func (f *File) bodyLine(b *body, text []byte, at int64) bool {
	k, rest := kindOf(text)
	r := fieldsOf(rest)
	switch k {
	case kindLine:
		f.addLine(b, &r, at)
	case kindInline:
		f.addInline(b, &r, at)
	case kindOrigin, kindNone:
	default:
		f.certain(k == kindFunc || k == kindPublic) // otherwise the body may continue elsewhere
		return false
	}
	return true
}

// addLine reads address size line filenum.
func (f *File) addLine(b *body, r *fields, at int64) {
	l := line{start: r.hex()}
	size := r.hex()
	l.line, l.file = r.dec(), r.dec()
	switch {
	case r.bad:
		f.notes.addLate("line record is malformed", f.t.offset(at))
	case size == 0: // PDB files have many such records without use
	case wraps(l.start, size):
		f.notes.addLate("line record reaches beyond the address space", f.t.offset(at))
	default:
		b.lineAt.Add(l.start, size, int64(len(b.lines)))
		b.lines = append(b.lines, l)
	}
}

func (b *body) finish() {
	b.lineAt.Finish()
	slices.SortStableFunc(b.inlines, func(a, c inline) int { return cmp.Compare(a.depth, c.depth) })
	for i, in := range b.inlines {
		if int(in.depth) > len(b.depths) {
			break // no call is one level above it, so no chain reaches it
		}
		if int(in.depth) == len(b.depths) {
			b.depths = append(b.depths, ranges.Table{})
		}
		b.depths[in.depth].Add(in.start, in.size, int64(i))
	}
	for i := range b.depths {
		b.depths[i].Finish()
	}
	for _, l := range b.lines {
		if len(b.depths) > 0 {
			if _, ok := b.depths[0].Find(l.start); ok {
				continue
			}
		}
		b.own, b.hasOwn = l.file, true
		break
	}
}

func (b *body) lineFor(addr uint64) (line, bool) {
	r, ok := b.lineAt.Find(addr)
	if !ok {
		return line{}, false
	}
	return b.lines[r.Value], true
}

// chain returns the inlined calls at an address, the outermost first.
func (b *body) chain(addr uint64) (calls []inline) {
	for d := range b.depths {
		r, ok := b.depths[d].Find(addr)
		if !ok {
			break
		}
		calls = append(calls, b.inlines[r.Value])
	}
	return calls
}

// addInline reads an INLINE record, which has two forms:
//
//	INLINE depth call_line call_file origin [address size]+
//	INLINE depth call_line origin [address size]+
//
// The second is what dump_syms wrote in 2021. An even or odd number of fields distinguishes them,
// as in Breakpad's SymbolParseHelper::ParseInline.
func (f *File) addInline(b *body, r *fields, at int64) {
	var in inline
	in.hasFile = countFields(r.b[r.at:])%2 == 0
	in.depth, in.line = r.dec(), r.dec()
	if in.hasFile {
		in.file = r.dec()
	}
	in.origin = r.dec()
	known := len(b.inlines)
	for ok := true; ok && !r.bad; ok = r.more() {
		in.start, in.size = r.hex(), r.hex()
		if in.size != 0 && !wraps(in.start, in.size) {
			b.inlines = append(b.inlines, in)
		}
	}
	switch {
	case r.bad:
		b.inlines = b.inlines[:known]
		f.notes.addLate("INLINE is malformed", f.t.offset(at))
	case in.depth >= maxDepth:
		b.inlines = b.inlines[:known]
		f.notes.addLate("INLINE is nested too deeply", f.t.offset(at))
	}
}

// countFields counts the fields between spaces.
func countFields(b []byte) (n int) {
	for i, c := range b {
		if c != ' ' && (i == 0 || b[i-1] == ' ') {
			n++
		}
	}
	return n
}

// An origin is an INLINE_ORIGIN record: the function that was inlined.
type origin struct {
	name    string
	file    uint32 // where it is defined
	hasFile bool   // only in the old form
}

// originOf reads INLINE_ORIGIN number name, or in the old form INLINE_ORIGIN number file name,
// where file may be -1. A number in that position is read as a file, as in Breakpad. The zero
// origin means unknown.
func (f *File) originOf(id uint32) (o origin) {
	if o, ok := f.cache.origins.Get(int64(id)); ok {
		return o
	}
	at, ok := f.recordAt(byOrigin, uint64(id))
	if !ok {
		return origin{}
	}
	text, err := f.lineAt(at)
	if err != nil {
		f.failed(err)
		return origin{}
	}
	k, rest := kindOf(text)
	r := fieldsOf(rest)
	have := r.dec()
	f.doubt(k == kindOrigin && have == id)
	if old := r; old.flag("-1") {
		r = old
	} else if old = r; old.more() {
		if file := old.dec(); !old.bad && old.more() {
			o.file, o.hasFile = file, true
			r = old
		}
	}
	o.name = string(r.rest())
	f.cache.origins.Put(int64(id), o, 64+len(o.name))
	return o
}

// fileName returns the name of a FILE record, or "".
func (f *File) fileName(id uint32) string {
	if name, ok := f.cache.files.Get(int64(id)); ok {
		return name
	}
	at, ok := f.recordAt(byFile, uint64(id))
	if !ok {
		return ""
	}
	text, err := f.lineAt(at)
	if err != nil {
		f.failed(err)
		return ""
	}
	k, rest := kindOf(text)
	r := fieldsOf(rest)
	have := r.dec()
	f.doubt(k == kindFile && have == id)
	name := string(r.rest())
	f.cache.files.Put(int64(id), name, 64+len(name))
	return name
}
