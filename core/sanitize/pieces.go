package sanitize

import (
	"cmp"
	"slices"
)

// A piece is memory from base up to end.
type piece struct{ base, end uint64 }

// pieces are parts of memory. Lookups need the result of merged: sorted and without overlaps.
type pieces []piece

// merged sorts pieces and joins adjacent ones.
func (l pieces) merged() (out pieces) {
	slices.SortFunc(l, byBase)
	for _, p := range l {
		if n := len(out); n > 0 && p.base <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, p.end)
		} else if p.end > p.base {
			out = append(out, p)
		}
	}
	return out
}

func byBase(a, b piece) int {
	return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(a.end, b.end))
}

// below returns the last piece that begins at or below an address.
func (l pieces) below(addr uint64) (piece, bool) {
	i, exact := slices.BinarySearchFunc(l, addr, func(p piece, addr uint64) int { return cmp.Compare(p.base, addr) })
	if !exact {
		i--
	}
	if i < 0 {
		return piece{}, false
	}
	return l[i], true
}

// after returns the index of the first piece that ends above an address.
func (l pieces) after(addr uint64) int {
	i, _ := slices.BinarySearchFunc(l, addr, func(p piece, addr uint64) int { return cmp.Compare(p.end-1, addr) })
	return i
}
