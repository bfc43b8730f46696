package dwarf

import (
	"cmp"
	"slices"

	"crashglass/core/symbolize"
)

// Extents are sorted ranges of addresses that neither overlap nor touch.
type Extents []symbolize.Range

// Extents returns the address ranges of functions.
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
