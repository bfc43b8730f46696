package macho

import (
	"crashglass/core/symbolize"
	"crashglass/core/unwind"
)

var (
	_ symbolize.Source = (*File)(nil)
	_ unwind.Rules     = (*File)(nil)
)

// Locate names the function, line and inlined calls at an address. Where DWARF
// says nothing it is the symbol of the function that the address is in.
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
// Where a function begins in between, its name was stripped, and the symbol
// below names another one.
func (f *File) publicAt(rel uint64) (symbol, string, bool) {
	t := f.names()
	i := upTo(t.list, rel)
	sect := f.codeAt(rel)
	if i == 0 || sect == nil || t.list[i-1].addr < sect.addr-f.base {
		return symbol{}, "", false
	}
	s := t.list[i-1]
	if start, ok := f.startBelow(rel); ok && start > s.addr {
		return symbol{}, "", false
	}
	// Behind a function's end its symbol says nothing.
	if _, ok := f.info().Function(s.addr); ok {
		return symbol{}, "", false
	}
	name := t.nameOf(s)
	return s, name, name != ""
}

// WinFrame knows nothing: STACK WIN is what Windows has.
func (f *File) WinFrame(uint64) (unwind.WinFrame, bool) { return unwind.WinFrame{}, false }
