package dwarf

import (
	"crashglass/core/base/ranges"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A file with DWARF usually has a linker's table of symbols, too. It names the
// code that no function of DWARF covers.

// LocateOr is Locate or, if it finds nothing, the symbol that public finds for an address.
func (f *File) LocateOr(rel uint64, public func(rel uint64) (symbolize.Public, bool)) (symbolize.Location, bool) {
	if loc, ok := f.Locate(rel); ok {
		return loc, true
	}
	p, ok := f.outside(rel, public)
	if !ok {
		return symbolize.Location{}, false
	}
	return symbolize.Location{Function: p.Name, Start: p.Start, Public: true, Multiple: p.Multiple, Stated: p.Stated}, true
}

// FunctionOr is Function or, if it finds nothing, the symbol that public finds for an address.
func (f *File) FunctionOr(rel uint64, public func(rel uint64) (symbolize.Public, bool)) (unwind.Function, bool) {
	if fn, ok := f.Function(rel); ok {
		return fn, true
	}
	p, ok := f.outside(rel, public)
	if !ok {
		return unwind.Function{}, false
	}
	return unwind.Function{Name: p.Name, Start: p.Start, Public: true, Stated: p.Stated}, true
}

// After the end of a function its symbol is not used.
func (f *File) outside(rel uint64, public func(rel uint64) (symbolize.Public, bool)) (symbolize.Public, bool) {
	p, ok := public(rel)
	if !ok {
		return p, false
	}
	_, known := f.Function(p.Start)
	return p, !known
}

// A Table is the linker's symbols for code. Public reads a name, which Start does not.
type Table interface {
	Len() int
	Start(i int) uint64
	Public(i int) symbolize.Public
}

// EachOutside lists the symbols of a table that begin in no function, in the order of the table.
// Those without a name are left out.
func (f *File) EachOutside(t Table, add func(symbolize.Public) error) error {
	all, err := f.Covered()
	if err != nil {
		return err
	}
	var covered ranges.Table
	for _, r := range all {
		covered.Add(r.Start, r.Size, 0)
	}
	covered.Finish()
	for i := range t.Len() {
		if _, in := covered.Find(t.Start(i)); in {
			continue // its name is not read
		}
		if p := t.Public(i); p.Name != "" {
			if err := add(p); err != nil {
				return err
			}
		}
	}
	return nil
}
