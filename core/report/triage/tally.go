package triage

import (
	"maps"
	"math"
	"slices"

	"crashglass/core/base/sorting"
)

// mostValues bounds the different values in a Tally.
const mostValues = 16

// A Tally counts values. If there are more than it keeps, it keeps the first ones in sorted order,
// with exact counts. A value that is among the first of all is among the first of each part, so the
// order of adding does not change the result. The most frequent values would not have this
// property.
type Tally map[string]uint64

// one returns the tally of one value; "" counts nothing.
func one(value string) Tally {
	if value == "" {
		return nil
	}
	return Tally{value: 1}
}

// sum adds counts. Groups come from files, which may have any numbers: a sum that is too large stays at the largest number.
func sum(a, b uint64) uint64 {
	if s := a + b; s >= a {
		return s
	}
	return math.MaxUint64
}

func (t Tally) plus(o Tally) Tally {
	if len(t) == 0 && len(o) <= mostValues {
		return o
	}
	both := maps.Clone(t)
	if both == nil {
		both = Tally{}
	}
	for value, n := range o {
		both[value] = sum(both[value], n)
	}
	if len(both) <= mostValues {
		return both
	}
	for _, value := range slices.Sorted(maps.Keys(both))[mostValues:] {
		delete(both, value)
	}
	return both
}

// Values returns the values, the most frequent first.
func (t Tally) Values() []string {
	values := slices.Sorted(maps.Keys(t))
	sorting.Stable(values, func(a, b string) int {
		switch {
		case t[a] > t[b]:
			return -1
		case t[a] < t[b]:
			return 1
		}
		return 0
	})
	return values
}
