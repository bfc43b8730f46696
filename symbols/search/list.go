package search

import "slices"

// A List is a list of records of one size in ascending order of a number. It is searched, and not
// read.
type List struct {
	Count int64

	// Number reads the number of a record. It reports false if that cannot be read.
	Number func(n int64) (uint64, bool)
}

// listProbes is how many records, spread over a list, are read to check whether it is sorted.
const listProbes = 16

// Ascends reports whether the records at places all over the list are in order.
func (l *List) Ascends() bool {
	var places []int64
	for i := range int64(listProbes) {
		places = append(places, (l.Count-1)*i/(listProbes-1))
	}
	var last uint64
	for _, n := range slices.Compact(places) {
		v, ok := l.Number(n)
		if !ok || v < last {
			return false
		}
		last = v
	}
	return true
}

// From returns the first record whose number is v or higher, or Count. It reports false if a record
// cannot be read.
func (l *List) From(v uint64) (n int64, ok bool) {
	low, high := int64(0), l.Count // records from high on have v or more
	for low < high {
		mid := low + (high-low)/2
		at, ok := l.Number(mid)
		if !ok {
			return 0, false
		}
		if at < v {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, true
}
