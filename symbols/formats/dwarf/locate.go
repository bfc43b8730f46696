package dwarf

import (
	"cmp"
	"strings"

	"crashglass/core/stack/funcname"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/types"
)

// A File is a source of functions and lines, apart from the files that contain it.
var _ symbolize.Source = (*File)(nil)

// noName is the name of a function without a name in the file. dump_syms writes the same.
const noName = "<name omitted>"

// Locate names the function, line and inlined calls at an address.
//
// If functions or inlined calls overlap, the one that begins last is used. An address outside of
// functions has no lines.
func (f *File) Locate(rel uint64) (symbolize.Location, bool) {
	return find(f, func() (loc symbolize.Location, ok bool) {
		p, r, ok := f.at(rel)
		if !ok {
			return loc, false
		}
		loc = symbolize.Location{Function: f.nameOf(&p.code, &f.namer, r), Start: r.start - f.opt.Base, Size: r.end - r.start}
		loc.Linkage = f.cloneOf(loc.Function, loc.Start)
		f.source(&loc, p, r, f.opt.Base+rel)
		return loc, true
	})
}

// Function is Locate without lines.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	return find(f, func() (fn unwind.Function, ok bool) {
		p, r, ok := f.at(rel)
		if ok {
			fn = unwind.Function{Name: f.nameOf(&p.code, &f.namer, r), Start: r.start - f.opt.Base, Size: r.end - r.start}
		}
		return fn, ok
	})
}

// at finds the function of an address. One that begins before its image is no function. Units that do not
// say where their code is are placed when no other has it.
func (f *File) at(rel uint64) (p *parsed, best run, ok bool) {
	addr := f.opt.Base + rel
	if addr < rel {
		return nil, run{}, false
	}
	x, err := f.readIndex()
	if err != nil {
		return nil, run{}, false
	}
	for p, best, ok = f.placedAt(x, addr); !ok && f.placeMore(x); {
		p, best, ok = f.placedAt(x, addr)
	}
	return p, best, ok && best.start >= f.opt.Base
}

// placedAt finds it in the units that are said to have code there.
func (f *File) placedAt(x *index, addr uint64) (p *parsed, best run, ok bool) {
	ids, crowd := x.unitsAt(addr)
	if crowd != nil {
		if id, has := f.ownerIn(x, crowd, addr); has {
			ids = []int32{id}
		}
	}
	for _, id := range ids {
		q := f.parsedOf(x.units[id])
		if r, has := q.runAt(addr); has && (!ok || r.start > best.start) {
			p, best, ok = q, r, true
		}
	}
	return p, best, ok
}

// goABI is what Go's linker appends to the names of assembly, and of wrappers that assembly calls.
const goABI = ".abi0"

// nameOf returns the name of a function. The linker's counts where DWARF does
// not repeat it, or repeats a part: GCC numbers nested functions ("f.0"). Go's linker
// marks the code that assembly calls ("f.abi0"), which is no other function.
func (f *File) nameOf(c *code, n *namer, r run) string {
	s := c.subs[r.sub]
	var name string
	if len(c.subNames) > 0 {
		name = c.subNames[r.sub]
	} else {
		name = n.of(c.unit, s.name)
	}
	if f.opt.Linkage != nil && !isMangled(name) {
		linkage := funcname.WithoutClone(f.opt.Linkage(s.entry-f.opt.Base, name))
		if name == "" || isMangled(linkage) || strings.HasPrefix(linkage, name+".") && linkage != name+goABI {
			name = linkage
		}
	}
	if name == "" {
		return noName
	}
	return name
}

// cloneOf returns the linker's name of a copy or a part of a function: what
// compilers append to it says what they did ("f.constprop.0", "f.cold").
func (f *File) cloneOf(name string, start uint64) string {
	if f.opt.Linkage == nil {
		return ""
	}
	if linkage := f.opt.Linkage(start, name); strings.HasPrefix(linkage, name+".") && linkage != name+goABI {
		return linkage
	}
	return ""
}

// source fills in files, lines and inlined calls. Of each inlined call DWARF
// says where it was called, and the line program says of the address where it
// is in the innermost function.
func (f *File) source(loc *symbolize.Location, p *parsed, r run, addr uint64) {
	calls := p.chain(r, addr)
	var at symbolize.Inline
	if row, start, ok := p.lines.rowAt(r.span, addr); ok {
		at.File, at.Line = p.lines.path(row.file), row.line
		loc.LineStart = start - f.opt.Base
	}
	for i := len(calls) - 1; i >= 0; i-- {
		c := &p.calls[calls[i]]
		at.Function = f.qualified(p.unit, c.name, f.namer.of(p.unit, c.name))
		loc.Inlines = append(loc.Inlines, at)
		at = symbolize.Inline{File: p.lines.path(c.file), Line: c.line}
		if loc.LineStart == 0 {
			loc.LineStart = loc.Start
		}
	}
	loc.File, loc.Line = at.File, at.Line
}

// qualified completes the name of an inlined function of C++ that no linker knows: compilers write no mangled name for
// templates of types without linkage, and GCC none for lambdas, which are all called operator().
func (f *File) qualified(u *unit, r ref, name string) string {
	if name == "" || isMangled(name) || r.kind != refEntry {
		return name
	}
	n := f.node(u)
	if n == nil || n.languageOf() != types.CPlusPlus {
		return name
	}
	d, ok := n.entryOf(r)
	if !ok {
		return name
	}
	return cmp.Or(d.within(deepest), name)
}

// isMangled reports whether a name is a mangled one of C++, D, Rust or Swift.
func isMangled(name string) bool {
	for _, prefix := range []string{"_Z", "__Z", "_R", "_D", "?", "$s", "_$s", "$S", "_$S", "_T0"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
