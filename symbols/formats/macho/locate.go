package macho

import (
	"strings"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// Locate names the function, line and inlined calls at an address. Without DWARF it is that of Go's table, or the symbol
// of the function that contains the address.
func (f *File) Locate(rel uint64) (symbolize.Location, bool) {
	loc, ok := f.locateMapped(rel)
	if !ok {
		loc, ok = f.info().Locate(rel)
	}
	if !ok {
		if g, known := f.golang().Locate(rel); known {
			return g, true
		}
		loc, ok = f.info().LocateOr(rel, f.publicAt)
	}
	if !ok || loc.Public {
		return loc, ok
	}
	loc.Function, loc.File = f.nameAt(loc.Start, loc.Function), f.opt.SymbolMap.path(loc.File)
	for i := range loc.Inlines {
		in := &loc.Inlines[i]
		in.Function, in.File = f.opt.SymbolMap.text(in.Function), f.opt.SymbolMap.path(in.File)
	}
	return loc, ok
}

// Function is Locate without lines.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	fn, ok := f.functionMapped(rel)
	if !ok {
		fn, ok = f.info().Function(rel)
	}
	if !ok {
		if g, known := f.golang().Function(rel); known {
			return g, true
		}
		fn, ok = f.info().FunctionOr(rel, f.publicAt)
	}
	if ok && !fn.Public {
		fn.Name = f.nameAt(fn.Start, fn.Name)
	}
	return fn, ok
}

// nameAt is the name of a function that DWARF describes: its symbol's, if any, because that is the
// full linkage name. Compilers omit it from DWARF for functions with an asm label, and with
// -gline-tables-only. LLVM's suffix for a copy or a part of a function is removed. If all names are
// hidden it is the symbol's, as in other tools.
func (f *File) nameAt(start uint64, name string) string {
	name = f.opt.SymbolMap.text(name)
	linkage := f.names().linkage(start, strings.TrimPrefix(name, "_"))
	if linkage == "" || IsHidden(linkage) && !IsHidden(name) {
		return name
	}
	if added, ok := strings.CutPrefix(linkage, name+"."); ok && (strings.HasPrefix(added, "llvm.") || strings.HasPrefix(added, "cold")) {
		return name
	}
	return linkage
}

// publicAt returns the symbol that an address without a function belongs to. If a function begins
// in between, its name was stripped, and the symbol below belongs to another one.
func (f *File) publicAt(rel uint64) (symbolize.Public, bool) {
	t := f.names()
	i := upTo(t.list, rel)
	sect := f.codeAt(rel)
	if i == 0 || sect == nil || t.list[i-1].addr < sect.addr-f.base {
		return symbolize.Public{}, false
	}
	s := t.list[i-1]
	if start, ok := f.startBelow(rel); ok && start > s.addr {
		return symbolize.Public{}, false
	}
	name := t.nameOf(s)
	return symbolize.Public{Name: name, Start: s.addr, Multiple: s.multiple}, name != ""
}
