package breakpad

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
