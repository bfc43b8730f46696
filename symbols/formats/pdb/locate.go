package pdb

import (
	"slices"
	"strings"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

var (
	_ symbolize.Source = (*File)(nil)
	_ symbolize.Lister = (*File)(nil)
	_ unwind.Rules     = (*File)(nil)
	_ unwind.Lister    = (*File)(nil)
)

// Locate names the function, line and inlined calls at an address.
//
// A function is found through the module of its code. If the linker folded functions with identical
// code (ICF), the one whose code was kept is reported, and Multiple says that there are more. Code
// without a function has the public symbol below it, unless another contribution begins between the
// two.
func (f *File) Locate(rel uint64) (symbolize.Location, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, ok := f.find(rel)
	if !ok {
		return symbolize.Location{}, false
	}
	loc := symbolize.Location{
		Function: h.name, Linkage: h.linkage, Start: h.start, Size: h.size,
		Public: h.public, Multiple: h.multiple,
	}
	if !h.public && !h.added {
		f.source(&loc, h, rel)
	}
	return loc, true
}

// Function is Locate without lines.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, ok := f.find(rel)
	if !ok {
		return unwind.Function{}, false
	}
	return unwind.Function{Name: h.name, Start: h.start, Size: h.size, ParamSize: h.params, Public: h.public}, true
}

// A hit is the function or public symbol at an address.
type hit struct {
	named
	start, size uint64
	public      bool

	rva   uint32 // the internal address of the query
	added bool   // the code there was added to the image: it is of no line
	unit  *unit
	body  *body
}

// A named is the name of a function or public symbol.
type named struct {
	name     string
	linkage  string // where name was made of it
	params   uint32 // bytes of arguments on the stack, on x86
	multiple bool
}

// look looks an internal address up in the lists.
func (f *File) look(rva uint32, added bool, rel uint64) (hit, bool) {
	if owner, ok := f.owners().Find(uint64(rva)); ok {
		if h, ok, has := f.functionIn(int(owner.Value), rva, added, rel); has {
			return h, ok
		}
	}
	return f.public(rva, rel)
}

// functionIn is the answer of a module for an address, if one of its functions has it.
func (f *File) functionIn(module int, rva uint32, added bool, rel uint64) (h hit, ok, has bool) {
	u := f.unit(module)
	s, has := u.byAddr.Find(uint64(rva))
	if has {
		h, ok = f.function(u, int(s.Value), rva, rel)
		h.added = added
	}
	return h, ok, has
}

func (f *File) function(u *unit, i int, rva uint32, rel uint64) (hit, bool) {
	fn := u.funcs[i]
	p, ok := f.addr.piece(fn.start, fn.end, rel)
	if !ok {
		return hit{}, false
	}
	b := f.body(u, fn.at)
	h := hit{named: f.naming(u, i, b), rva: rva, unit: u, body: b}
	h.start, h.size = uint64(p.start), uint64(p.end-p.start)
	return h, h.name != ""
}

func (f *File) naming(u *unit, i int, b *body) named {
	n := named{name: b.name, params: b.params}
	start, ok := f.addr.rva(b.sym.sect, b.sym.off)
	if !ok {
		return n
	}
	if r, ok := f.frameRecords().find(start); ok {
		n.params = r.params
	}
	names := f.namesAt(start)
	for i, text := range names {
		if i == 0 && b.raw && strings.HasPrefix(text, "?") {
			n.name = text
		}
		if _, size, sized := f.undecorate(text); sized {
			n.params = size
		}
	}
	n.multiple = u.funcs[i].shared || len(names) > 1
	return n
}

// source fills in files, lines and inlined calls. Each call's line is that of its own code at the
// address; the function's own lines locate the outermost call.
func (f *File) source(loc *symbolize.Location, h hit, rel uint64) {
	own, ok := h.unit.lines.at(h.rva)
	if ok {
		loc.File, loc.Line = f.fileName(h.unit, own.file), own.line
	}
	for _, s := range h.body.chain(h.rva, nil) {
		in := symbolize.Inline{Function: f.inlineName(h.unit, s.id)}
		if row, has := s.row(h.rva); has {
			in.File, in.Line = f.fileName(h.unit, row.file), row.line
			own, ok = row, true
		}
		loc.Inlines = append(loc.Inlines, in)
	}
	slices.Reverse(loc.Inlines)
	if ok {
		if p, ok := f.addr.piece(own.start, own.end, rel); ok {
			loc.LineStart = max(uint64(p.start), loc.Start)
		}
	}
}
