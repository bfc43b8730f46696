package elf

import (
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

var (
	_ symbolize.Source = (*File)(nil)
	_ unwind.Rules     = (*File)(nil)
)

// Locate names the function, line and inlined calls at an address. Without DWARF it is the nearest
// symbol below, as with PUBLIC records of a .sym file.
func (f *File) Locate(rel uint64) (symbolize.Location, bool) {
	return f.info().LocateOr(rel, f.publicAt)
}

// Function is Locate without lines.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	return f.info().FunctionOr(rel, f.publicAt)
}

// publicAt returns the symbol for an address without a function. Addresses outside of code sections
// have none.
func (f *File) publicAt(rel uint64) (symbolize.Public, bool) {
	t := f.names()
	s, ok := t.below(rel)
	if !ok || len(t.sections) > 0 && f.sectionAt(rel) == nil {
		return symbolize.Public{}, false
	}
	if s.strings == bySection {
		if name, start, ok := f.stubs().at(rel); ok {
			return symbolize.Public{Name: name, Start: start}, true
		}
	}
	name := t.nameOf(s)
	return symbolize.Public{Name: name, Start: s.addr, Multiple: s.multiple, Stated: s.size}, name != ""
}
