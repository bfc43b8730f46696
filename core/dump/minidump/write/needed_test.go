package write

import (
	"math"
	"slices"
	"testing"

	"crashglass/core/process"
)

func rangeAt(base, off, size uint64) process.Range {
	return process.Range{Base: base, Location: process.Location{RVA: off, Size: size}}
}

// Ranges that overlap keep each byte once.
func TestDisjoint(t *testing.T) {
	for _, tt := range []struct{ in, want []process.Range }{
		{nil, nil},
		{[]process.Range{rangeAt(5, 0, 5), rangeAt(0, 0, 5)}, []process.Range{rangeAt(0, 0, 5), rangeAt(5, 0, 5)}},
		{[]process.Range{rangeAt(0, 0, 8), rangeAt(5, 0, 5)}, []process.Range{rangeAt(0, 0, 8), rangeAt(8, 0, 2)}},
		{[]process.Range{rangeAt(0, 0, 8), rangeAt(2, 0, 3)}, []process.Range{rangeAt(0, 0, 8)}},
		{[]process.Range{rangeAt(0, 0, 8), rangeAt(0, 0, 8)}, []process.Range{rangeAt(0, 0, 8)}},
		{[]process.Range{{}, rangeAt(3, 0, 0), rangeAt(3, 0, 1)}, []process.Range{rangeAt(3, 0, 1)}},
	} {
		if got := disjoint(slices.Clone(tt.in)); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %+v, want %+v", tt.in, got, tt.want)
		}
	}
}

// A thread list has offsets of 32 bits: a stack that ends beyond them has its
// address alone.
func TestPlacedStack(t *testing.T) {
	memory := []process.Range{rangeAt(0x1000, 0x500, 0x100), rangeAt(0x2000, math.MaxUint32-0x10, 0x100)}
	for _, tt := range []struct{ stack, want process.Range }{
		{rangeAt(0x1000, 0, 0x100), rangeAt(0x1000, 0x500, 0x100)},
		{rangeAt(0x1010, 0, 0x100), rangeAt(0x1010, 0x510, 0xf0)},
		{rangeAt(0x1010, 0, 0x20), rangeAt(0x1010, 0x510, 0x20)},
		{rangeAt(0x10ff, 0, 0x20), rangeAt(0x10ff, 0x5ff, 1)},
		{rangeAt(0x1100, 0, 0x20), process.Range{Base: 0x1100}}, // behind it
		{rangeAt(0x0fff, 0, 0x20), process.Range{Base: 0x0fff}}, // before all of it
		{rangeAt(0x2000, 0, 0x10), rangeAt(0x2000, math.MaxUint32-0x10, 0x10)},
		{rangeAt(0x2000, 0, 0x11), process.Range{Base: 0x2000}},
	} {
		if got := placedStack(memory, tt.stack); got != tt.want {
			t.Errorf("%+v: %+v, want %+v", tt.stack, got, tt.want)
		}
	}
}
