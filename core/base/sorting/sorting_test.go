package sorting

import (
	"cmp"
	"slices"
	"testing"
)

// TestStable sorts as slices.SortStableFunc does.
func TestStable(t *testing.T) {
	type item struct{ key, place int }
	var list []item
	for i := range 200 {
		list = append(list, item{i * 7919 % 13, i})
	}
	byKey := func(a, b item) int { return cmp.Compare(a.key, b.key) }
	for n := range len(list) {
		got, want := slices.Clone(list[:n]), slices.Clone(list[:n])
		Stable(got, byKey)
		slices.SortStableFunc(want, byKey)
		if !slices.Equal(got, want) {
			t.Fatalf("%d items: %v, want %v", n, got, want)
		}
	}
}
