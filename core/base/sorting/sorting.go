// Package sorting sorts short lists of any type with one sort.
//
// Package slices has a sort for each type that is sorted, of 20 KB each in WebAssembly, which the page loads. This one sorts places and copies
// the list, so what sorts the tables of large files uses slices. It reads nothing that can be broken.
package sorting

import (
	"iter"
	"slices"
)

// Stable sorts a list in place. What is equal keeps its order.
func Stable[T any](list []T, compare func(a, b T) int) {
	before := slices.Clone(list)
	for i, place := range places(len(list), func(a, b int) int { return compare(before[a], before[b]) }) {
		list[i] = before[place]
	}
}

// Sorted returns what a sequence has, sorted. What is equal keeps its order.
func Sorted[T any](seq iter.Seq[T], compare func(a, b T) int) []T {
	list := slices.Collect(seq)
	Stable(list, compare)
	return list
}

// places returns the places of n items in the order of the items.
func places(n int, compare func(a, b int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, compare)
	return out
}
