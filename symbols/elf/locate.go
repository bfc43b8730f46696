package elf

import (
	"crashglass/core/symbolize"
	"crashglass/core/unwind"
)

var (
	_ symbolize.Source = (*File)(nil)
	_ unwind.Rules     = (*File)(nil)
)

// Locate names the function, line and inlined calls at an address. Where DWARF
// says nothing it is the nearest symbol below, as with PUBLIC records of a
// .sym file.
func (f *File) Locate(rel uint64) (symbolize.Location, bool) {
	if loc, ok := f.info().Locate(rel); ok {
		return loc, true
	}
	s, name, ok := f.publicAt(rel)
	if !ok {
		return symbolize.Location{}, false
	}
	return symbolize.Location{Function: name, Start: s.addr, Public: true, Multiple: s.multiple}, true
}

// Function is what Locate finds, without lines.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	if fn, ok := f.info().Function(rel); ok {
		return fn, true
	}
	s, name, ok := f.publicAt(rel)
	if !ok {
		return unwind.Function{}, false
	}
	return unwind.Function{Name: name, Start: s.addr, Public: true}, true
}

// publicAt returns the symbol that an address without a function belongs to.
// What is outside of all sections with code belongs to none.
func (f *File) publicAt(rel uint64) (symbol, string, bool) {
	t := f.names()
	s, ok := t.below(rel)
	if !ok || len(t.sections) > 0 && f.sectionAt(rel) == nil {
		return symbol{}, "", false
	}
	// Behind a function's end its symbol says nothing.
	if _, ok := f.info().Function(s.addr); ok {
		return symbol{}, "", false
	}
	name := t.nameOf(s)
	return s, name, name != ""
}
