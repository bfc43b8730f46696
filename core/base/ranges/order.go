package ranges

import "sort"

// maxOrder is the limit for sorting by merging, which takes eight more bytes a row and is stable.
// More rows are sorted in place, which is slower and orders rows with equal first values by their
// last values. The result is the same if the values ascend.
const maxOrder = 4 << 20

// Order sorts rows by their first values. Rows with equal first values stay in the order of adding:
// see maxOrder.
//
// Most grids are in the order of a file, which is mostly the order of addresses: a linker
// concatenates sections, and each is sorted. Merging such runs takes a tenth of the time of a
// general sort. Rows of a file with shuffled records are sorted in linear time.
func (g *Grid) Order() {
	n := g.n
	if n > maxOrder {
		sort.Sort(inPlace{g})
		return
	}
	from, to := make([]uint32, n), make([]uint32, n)
	for i := range from {
		from[i] = uint32(i)
	}
	runs := []int{0}
	for i := 1; i < n; i++ {
		if g.At(i, 0) < g.At(i-1, 0) {
			runs = append(runs, i)
		}
	}
	if len(runs) > maxRuns {
		g.permute(g.radix(from, to))
		return
	}
	for len(runs) > 1 {
		runs = g.mergeRuns(from, to, runs)
		from, to = to, from
	}
	g.permute(from)
}

// maxRuns is the maximum number of runs that are merged. With more runs the rows are unsorted, and
// a radix sort is used, whose time does not depend on the order.
const maxRuns = 64

// The number of bits in a digit of radix, chosen so that the counts stay in the L1 cache.
const (
	digitBits = 11
	digits    = 1 << digitBits
)

// radix sorts the entries in from by their keys, from the lowest digit to the
// highest, and keeps the order of equal ones. It returns from or to.
func (g *Grid) radix(from, to []uint32) []uint32 {
	all, any := ^uint64(0), uint64(0)
	for i := range g.n {
		key := g.At(i, 0)
		all, any = all&key, any|key
	}
	for shift := 0; any>>shift != 0; shift += digitBits {
		if (any^all)>>shift&(digits-1) == 0 {
			continue // all keys have the same digit
		}
		var next [digits]uint32 // the next index for each digit
		for _, e := range from {
			next[g.At(int(e), 0)>>shift&(digits-1)]++
		}
		sum := uint32(0)
		for d, n := range next {
			next[d], sum = sum, sum+n
		}
		for _, e := range from {
			d := g.At(int(e), 0) >> shift & (digits - 1)
			to[next[d]] = e
			next[d]++
		}
		from, to = to, from
	}
	return from
}

// mergeRuns merges each pair of adjacent runs of from into one of to. Of equal keys the left one
// comes first, which keeps the order of the file.
func (g *Grid) mergeRuns(from, to []uint32, runs []int) (merged []int) {
	for r := 0; r < len(runs); r += 2 {
		start, mid, end := runs[r], len(from), len(from)
		if r+1 < len(runs) {
			mid = runs[r+1]
		}
		if r+2 < len(runs) {
			end = runs[r+2]
		}
		merged = append(merged, start)
		left, right, out := from[start:mid], from[mid:end], to[start:start]
		for len(left) > 0 && len(right) > 0 {
			if g.At(int(right[0]), 0) < g.At(int(left[0]), 0) {
				out, right = append(out, right[0]), right[1:]
			} else {
				out, left = append(out, left[0]), left[1:]
			}
		}
		copy(to[start+len(out):end], left)
		copy(to[end-len(right):end], right)
	}
	return merged
}

// permute moves the entry at from[i] to i, for each i, along the cycles of the
// permutation. It overwrites from.
func (g *Grid) permute(from []uint32) {
	for i := range from {
		at := i
		for int(from[at]) != i {
			next := int(from[at])
			g.swap(at, next)
			from[at] = uint32(at)
			at = next
		}
		from[at] = uint32(at)
	}
}

// inPlace implements sort.Interface for a grid.
type inPlace struct{ *Grid }

func (p inPlace) Swap(i, j int) { p.swap(i, j) }

func (p inPlace) Less(i, j int) bool {
	if a, b := p.At(i, 0), p.At(j, 0); a != b {
		return a < b
	}
	return p.At(i, p.width-1) < p.At(j, p.width-1)
}
