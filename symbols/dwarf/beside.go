package dwarf

import (
	"cmp"
	"slices"

	"crashglass/core/symbolize"
	"crashglass/core/unwind"
)

// What a linker's table of symbols is beside DWARF is the same in every file
// that has both: it names what no function covers.

// LocateOr is Locate and, where that knows nothing, the symbol that public
// finds for an address.
func (f *File) LocateOr(rel uint64, public func(rel uint64) (symbolize.Public, bool)) (symbolize.Location, bool) {
	if loc, ok := f.Locate(rel); ok {
		return loc, true
	}
	p, ok := f.outside(rel, public)
	if !ok {
		return symbolize.Location{}, false
	}
	return symbolize.Location{Function: p.Name, Start: p.Start, Public: true, Multiple: p.Multiple}, true
}

// FunctionOr is Function in the same way.
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

// outside is the symbol of an address without a function. Behind a function's
// end its symbol says nothing.
func (f *File) outside(rel uint64, public func(rel uint64) (symbolize.Public, bool)) (symbolize.Public, bool) {
	p, ok := public(rel)
	if !ok {
		return p, false
	}
	_, known := f.Function(p.Start)
	return p, !known
}

// Extents are runs of addresses in their order, none of which overlap or touch.
type Extents []symbolize.Range

// Extents are where functions are.
func (f *File) Extents() (out Extents, err error) {
	all, err := f.Covered()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b symbolize.Range) int { return cmp.Compare(a.Start, b.Start) })
	for _, r := range all {
		if n := len(out); n > 0 && r.Start-out[n-1].Start <= out[n-1].Size {
			out[n-1].Size = max(out[n-1].Size, r.Start-out[n-1].Start+r.Size)
			continue
		}
		out = append(out, r)
	}
	return out, nil
}

// Has reports whether an address is in one of them.
func (e Extents) Has(rel uint64) bool {
	i, at := slices.BinarySearchFunc(e, rel, func(r symbolize.Range, addr uint64) int { return cmp.Compare(r.Start, addr) })
	return at || i > 0 && rel-e[i-1].Start < e[i-1].Size
}
