package triage

import (
	"maps"
	"slices"
)

// mostValues is how many different values a Tally keeps.
const mostValues = 16

// A Tally counts values. Of more than it keeps it has the first by their
// order, with exact counts: what is among the first of all is among the first of
// each part, so that no order of adding changes the result. The most frequent
// ones could not be kept that way.
type Tally map[string]uint64

// one is the tally of one value; "" is none.
func one(value string) Tally {
	if value == "" {
		return nil
	}
	return Tally{value: 1}
}

// plus is the sum of two tallies.
func (t Tally) plus(o Tally) Tally {
	if len(t) == 0 && len(o) <= mostValues {
		return o
	}
	sum := maps.Clone(t)
	if sum == nil {
		sum = Tally{}
	}
	for value, n := range o {
		sum[value] += n
	}
	if len(sum) <= mostValues {
		return sum
	}
	for _, value := range slices.Sorted(maps.Keys(sum))[mostValues:] {
		delete(sum, value)
	}
	return sum
}

// Values are the values, the most frequent first.
func (t Tally) Values() []string {
	values := slices.Sorted(maps.Keys(t))
	slices.SortStableFunc(values, func(a, b string) int {
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
