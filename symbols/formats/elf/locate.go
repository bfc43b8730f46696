package elf

import (
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
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

// EachFirst lists functions for callers that want a few: see [dwarf.File.EachFirst].
func (f *File) EachFirst(add func(*symbolize.Function) error) error { return f.info().EachFirst(add) }

// HasRules reports whether EachCallFrame lists anything.
func (f *File) HasRules() bool {
	for _, t := range f.frames() {
		if first, ok := t.(interface{ First() *unwind.CallFrameTable }); ok && first.First() != nil {
			return true
		}
	}
	return false
}

// EachFunction lists the functions that DWARF knows.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	return f.info().EachFunction(add)
}

// EachPublic lists the symbols that are in no function, in the order of their
// addresses.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	return f.info().EachOutside(f.names(), add)
}
