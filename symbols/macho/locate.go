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
	return f.info().LocateOr(rel, f.publicAt)
}

// Function is what Locate finds, without lines.
func (f *File) Function(rel uint64) (unwind.Function, bool) {
	return f.info().FunctionOr(rel, f.publicAt)
}

// publicAt returns the symbol that an address without a function belongs to.
// Where a function begins in between, its name was stripped, and the symbol
// below names another one.
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

// WinFrame knows nothing: STACK WIN is what Windows has.
func (f *File) WinFrame(uint64) (unwind.WinFrame, bool) { return unwind.WinFrame{}, false }
