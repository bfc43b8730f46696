package process

import (
	"cmp"
	"container/heap"
	"slices"
)

// A capture is target memory at a file offset. Its last address is inclusive, so that it may end at
// the top of the address space.
type capture struct {
	base, last uint64
	off        int64
}

// overlay makes captures disjoint and sorts them. An address belongs to the first capture in the
// list that contains it. It sweeps over the addresses once, so sixty thousand overlapping ranges
// cost no more than disjoint ones.
func overlay(spans []capture) []capture {
	order := make([]int, len(spans)) // by base
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(spans[a].base, spans[b].base) })

	var out []capture
	var open ranks // captures that have begun and may not have ended
	var at uint64
	for next := 0; next < len(order) || len(open) > 0; {
		if len(open) == 0 {
			at = spans[order[next]].base
		}
		for ; next < len(order) && spans[order[next]].base <= at; next++ {
			heap.Push(&open, order[next])
		}
		top := spans[open[0]]
		if top.last < at {
			heap.Pop(&open)
			continue
		}
		last := top.last
		if next < len(order) {
			last = min(last, spans[order[next]].base-1)
		}
		out = appendCapture(out, capture{at, last, top.off + int64(at-top.base)})
		if last == ^uint64(0) {
			break
		}
		at = last + 1
	}
	return out
}

// appendCapture appends a capture, or extends the last one if it continues in the file.
func appendCapture(spans []capture, s capture) []capture {
	if n := len(spans); n > 0 {
		prev := &spans[n-1]
		if prev.last+1 == s.base && prev.off+int64(s.base-prev.base) == s.off {
			prev.last = s.last
			return spans
		}
	}
	return append(spans, s)
}

// ranks is a heap of positions in a list, the first one on top.
type ranks []int

func (r ranks) Len() int           { return len(r) }
func (r ranks) Less(i, j int) bool { return r[i] < r[j] }
func (r ranks) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ranks) Push(x any)        { *r = append(*r, x.(int)) }
func (r *ranks) Pop() any {
	old := *r
	last := old[len(old)-1]
	*r = old[:len(old)-1]
	return last
}
