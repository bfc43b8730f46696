package breakpad

import "crashglass/core/stack/symbolize"

// Locate names the function, line and inlined calls at an address.
//
// Where records overlap, the one that starts last among those that cover the address is used, for
// functions, lines and inlined calls. A public symbol reaches up to the next FUNC: code between two
// functions may have only a public symbol. As in Breakpad and rust-minidump, a public symbol is
// used only if it lies above the start of the last FUNC before the address.
func (f *File) Locate(rel uint64) (symbolize.Location, bool) {
	return query(f, func() (symbolize.Location, bool) { return f.locate(rel) })
}

func (f *File) locate(rel uint64) (symbolize.Location, bool) {
	if at, ok := f.recordAt(byFunc, rel); ok {
		if s, ok := f.functionAt(at, rel); ok {
			loc := location(s)
			f.source(&loc, f.bodyAt(at), rel)
			return loc, true
		}
		return symbolize.Location{}, false
	}
	s, ok := f.publicAt(rel)
	return location(s), ok
}

func location(s symbol) symbolize.Location {
	return symbolize.Location{Function: s.name, Start: s.start, Size: s.size, Public: s.public, Stated: s.stated, Multiple: s.multiple}
}

// publicAt returns the public symbol of an address without a FUNC.
func (f *File) publicAt(rel uint64) (symbol, bool) {
	addr, at, ok := f.x.publics.below(rel)
	if !ok {
		return symbol{}, false
	}
	if i := f.x.funcs.UpTo(rel); i > 0 && addr <= f.x.funcs.Range(i-1).Start {
		return symbol{}, false
	}
	s, ok := f.symbolAt(at)
	f.doubt(ok && s.public && s.start == addr)
	return s, ok
}

// source fills in files, lines and inlined calls.
//
// The file states the call site of each inlined call, and the position of the address in the
// innermost function. A Location states the position of execution in each function. So the call
// site of each call belongs to the function around it.
func (f *File) source(loc *symbolize.Location, b *body, rel uint64) {
	l, known := b.lineFor(rel)
	calls := b.chain(rel)
	at := symbolize.Inline{Line: l.line}
	if known {
		at.File, loc.LineStart = f.fileName(l.file), l.start
	} else if len(calls) > 0 {
		loc.LineStart = calls[0].start
	}
	for i := len(calls) - 1; i >= 0; i-- {
		at.Function = f.originOf(calls[i].origin).name
		loc.Inlines = append(loc.Inlines, at)
		at = symbolize.Inline{Line: calls[i].line, File: f.callFile(b, calls[:i+1], l, known)}
	}
	loc.File, loc.Line = at.File, at.Line
}

// callFile returns the file of the call site of the last of calls.
//
// The old form of INLINE lacks the file, but the call site is in the function around it: the origin
// of the outer call, or the function itself. Breakpad uses the file of the address for all calls,
// which is usually a header.
func (f *File) callFile(b *body, calls []inline, l line, known bool) string {
	last := calls[len(calls)-1]
	if last.hasFile {
		return f.fileName(last.file)
	}
	if n := len(calls); n > 1 {
		if o := f.originOf(calls[n-2].origin); o.hasFile {
			return f.fileName(o.file)
		}
	} else if b.hasOwn {
		return f.fileName(b.own)
	}
	if known {
		return f.fileName(l.file)
	}
	return ""
}
