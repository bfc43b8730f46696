package search

import (
	"fmt"
	"testing"
)

// listOf is a list of numbers, of which 99 cannot be read.
func listOf(numbers ...uint64) *List {
	return &List{Count: int64(len(numbers)), Number: func(n int64) (uint64, bool) { return numbers[n], numbers[n] != 99 }}
}

// Ascends reads the first record, the last one and up to fourteen between them.
func TestAscends(t *testing.T) {
	for count, want := range map[int64]string{1: "[0]", 2: "[0 1]", 3: "[0 1 2]", 16: "[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]", 151: "[0 10 20 30 40 50 60 70 80 90 100 110 120 130 140 150]"} {
		var read []int64
		l := List{Count: count, Number: func(n int64) (uint64, bool) { read = append(read, n); return uint64(n), true }}
		if ok := l.Ascends(); !ok || fmt.Sprint(read) != want {
			t.Errorf("%d: %v, %v, want %s", count, read, ok, want)
		}
	}
	for _, tt := range []struct {
		list []uint64
		want bool
	}{{list: []uint64{5}, want: true}, {list: []uint64{5, 5, 6}, want: true}, {list: []uint64{5, 4}}, {list: []uint64{1, 3, 2}}, {list: []uint64{1, 2, 99}}} {
		if got := listOf(tt.list...).Ascends(); got != tt.want {
			t.Errorf("%v ascends: %v", tt.list, got)
		}
	}
}

// From finds the first of several equal numbers.
func TestFrom(t *testing.T) {
	l := listOf(2, 4, 4, 4, 7)
	for v, want := range map[uint64]int64{0: 0, 2: 0, 3: 1, 4: 1, 5: 4, 7: 4, 8: 5} {
		if n, ok := l.From(v); n != want || !ok {
			t.Errorf("from %d: %d, %v, want %d", v, n, ok, want)
		}
	}
	if n, ok := listOf().From(1); n != 0 || !ok {
		t.Errorf("an empty list: %d, %v", n, ok)
	}
	if _, ok := listOf(1, 99, 3).From(2); ok {
		t.Error("a record that cannot be read")
	}
}
