package process

import (
	"bytes"
	"math"
	"testing"

	"crashglass/core/base/bin"
)

func rangeAt(base, off, size uint64) Range {
	return Range{Base: base, Location: Location{RVA: off, Size: size}}
}

// What was captured from an address on, without a gap in memory or in the file.
func TestPiece(t *testing.T) {
	m := NewMemory(NewPager(bin.NewSource(bytes.NewReader(nil), 1<<20)), false, []Range{
		rangeAt(0x1000, 0x100, 0x1000),
		rangeAt(0x2000, 0x1100, 0x800), // goes on from the first, and is cut off
		rangeAt(0x3000, 0x2100, 0x1000),
		rangeAt(0x4000, 0x9000, 0x1000), // elsewhere in the file
	}, func(err error) { t.Error(err) })
	for _, tt := range []struct {
		addr, size uint64
		want       Range
	}{
		{0x1000, 0x1000, rangeAt(0x1000, 0x100, 0x1000)},
		{0x1800, 0x100, rangeAt(0x1800, 0x900, 0x100)},
		{0x1800, 0x1000, rangeAt(0x1800, 0x900, 0x1000)}, // into the next one
		{0x1800, 0x9000, rangeAt(0x1800, 0x900, 0x1000)}, // up to what is cut off
		{0x3800, 0x9000, rangeAt(0x3800, 0x2900, 0x800)}, // the next one is elsewhere
		{0x0800, 0x1000, rangeAt(0x1000, 0x100, 0x800)},  // begins before the first
		{0x2800, 0x1000, rangeAt(0x3000, 0x2100, 0x800)}, // begins in a gap
		{0x0800, 0x800, Range{}},                         // ends where the first begins
		{0x5000, 0x1000, Range{}},                        // a gap
		{0x6000, 0x1000, Range{}},                        // not captured
		{0x7000, 0x1000, Range{}},                        // behind the last
		{math.MaxUint64, 0x1000, Range{}},                // the last address
		{0x4fff, 0x1000, rangeAt(0x4fff, 0x9fff, 1)},     // one byte
	} {
		if got := m.Piece(tt.addr, tt.size); got != tt.want {
			t.Errorf("%#x bytes at %#x: %+v, want %+v", tt.size, tt.addr, got, tt.want)
		}
	}
}
