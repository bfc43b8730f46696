package elfcore

import "sort"

// byAddress does not use the generic sort of package slices, which adds 12 KB to the page for each type.
func byAddress[T any](list []T, address func(*T) uint64) {
	sort.Sort(addressed{
		len(list),
		func(i, j int) bool { return address(&list[i]) < address(&list[j]) },
		func(i, j int) { list[i], list[j] = list[j], list[i] },
	})
}

// addressed implements sort.Interface.
type addressed struct {
	n    int
	less func(i, j int) bool
	swap func(i, j int)
}

func (a addressed) Len() int           { return a.n }
func (a addressed) Less(i, j int) bool { return a.less(i, j) }
func (a addressed) Swap(i, j int)      { a.swap(i, j) }

// at returns the last entry that begins at or before an address, or -1.
func at(n int, addr uint64, start func(i int) uint64) int {
	return sort.Search(n, func(i int) bool { return start(i) > addr }) - 1
}
