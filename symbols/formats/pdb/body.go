package pdb

import (
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
)

// A body holds a function's record and the records inside it, parsed. Several ranges of code can
// share a body.
type body struct {
	name   string
	raw    bool   // the name is the record's own, without arguments
	params uint32 // bytes of arguments on the stack, by type information
	sym    procSym
	inside int64 // where the records inside the function begin
	site         // the function as the outermost of its calls
	sites  int

	cutsOfCalls []uint32 // nil until they are asked for
}

// A site is a call that was inlined, or the function itself.
type site struct {
	id       uint32    // what was inlined, as a number of the IPI stream
	rows     []lineRow // disjoint, in order; none for the function itself
	children []*site
	byAddr   ranges.Table // of children
}

// Bounds of what one function can have: scopes within scopes, and inlined calls
// with their lines, counted again for each call around them. Real functions
// stay below a tenth of that.
const (
	maxDepth = 128
	maxSites = 1 << 20
)

// body parses the function whose record is at a place of unit u.
func (f *File) body(u *unit, at int64) *body {
	key := bodyKey{u.index, at}
	if b, ok := f.bodies.Get(key); ok {
		return b
	}
	b := f.readBody(u, at)
	f.bodies.Put(key, b, 256+len(b.name)+64*b.sites)
	return b
}

type bodyKey struct {
	unit int
	at   int64
}

// readBody never returns nil: a damaged record gives an empty body.
func (f *File) readBody(u *unit, at int64) *body {
	b := &body{}
	r, next, ok := nextRecord(u.symbols, at, 0)
	if !ok || !isProc(r.kind) && r.kind != symThunk {
		f.notes.add("%s: separated code names a function at %#x, where none is", u.what, at)
		return b
	}
	var err error
	if r.kind == symThunk {
		b.sym, err = parseThunk(r)
	} else {
		b.sym, err = parseProc(r)
	}
	if err != nil {
		f.notes.error(err)
		return b
	}
	f.nameFunction(u, b)
	b.inside = next
	if start, ok := f.addr.rva(b.sym.sect, b.sym.off); ok && !b.sym.thunk {
		b.readSites(f, u, next, start)
	}
	return b
}

// readSites reads the records inside a function, from off to its end. Scopes that are no inlined
// calls count as part of the call around them. Functions do not nest: if another one begins, the
// end of this one is missing.
func (b *body) readSites(f *File, u *unit, off int64, base uint32) {
	open := []*site{&b.site}
	u.eachRecord(f, off, func(r record) bool {
		top := open[len(open)-1]
		switch {
		case isProc(r.kind):
			return false
		case closes(r.kind):
			open = open[:len(open)-1]
			if len(open) == 0 || open[len(open)-1] != top {
				b.finish(f, u, top)
			}
		case opens(r.kind) && len(open) >= maxDepth:
			f.notes.add("%s at %#x: scopes are nested more than %d deep", u.what, r.at, maxDepth)
			return false
		case r.kind == symInlineSite || r.kind == symInlineSite2:
			s := u.site(f, r, base)
			top.children = append(top.children, s)
			open = append(open, s)
		case opens(r.kind):
			open = append(open, top)
		}
		return len(open) > 0
	})
	for i := len(open) - 1; i >= 0; i-- {
		b.finish(f, u, open[i])
	}
}

// site reads S_INLINESITE, INLINESITESYM of cvinfo.h, or S_INLINESITE2, which
// has the number of its invocations, too.
func (u *unit) site(f *File, r record, base uint32) *site {
	c := bin.NewCursor("inline site", r.at+4, r.data)
	c.Skip(8)
	s := &site{id: c.U32()}
	if r.kind == symInlineSite2 {
		c.Skip(4)
	}
	in, ok := u.sites[s.id]
	if !ok {
		return s // no code can be attributed to it
	}
	f.siteRows = in.rows(c.Bytes(c.Len()), base, f.siteRows[:0])
	s.rows = slices.Clone(divideRows(f.siteRows))
	return s
}

// Where a call seems to have no code of its own it has that of the calls inlined in it.
func (b *body) finish(f *File, u *unit, s *site) {
	if len(s.children) == 0 {
		return
	}
	for i, child := range s.children {
		b.sites += 1 + len(child.rows) + child.byAddr.Len()
		if b.sites > maxSites {
			f.notes.add("%s: more than %d lines of inlined calls in %s; the rest is left out", u.what, maxSites, b.sym.name)
			s.children = s.children[:i]
			break
		}
		for _, row := range child.rows {
			addRun(&s.byAddr, row.start, row.end, i)
		}
		for k := range child.byAddr.Len() {
			in := child.byAddr.Range(k)
			s.byAddr.Add(in.Start, in.Size, int64(i))
		}
	}
	s.byAddr.Finish()
}

// chain appends the calls inlined at an address, the outermost first.
func (b *body) chain(rva uint32, out []*site) []*site {
	at := &b.site
	for {
		r, ok := at.byAddr.Find(uint64(rva))
		if !ok {
			return out
		}
		at = at.children[r.Value]
		out = append(out, at)
	}
}

// row returns the line that covers an address within an inlined call.
func (s *site) row(rva uint32) (lineRow, bool) {
	t := lineTable{rows: s.rows}
	return t.at(rva)
}
