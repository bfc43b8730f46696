package asm

import (
	"bytes"
	"math"
	"testing"
)

// The numbers of figures 22 and 23 of DWARF 5 (section 7.6), and those at the limits of 64 bits.
func TestLEB(t *testing.T) {
	long := bytes.Repeat([]byte{0xff}, 9)
	for v, want := range map[uint64][]byte{
		0: {0}, 2: {2}, 127: {0x7f}, 128: {0x80, 1}, 129: {0x81, 1}, 12857: {0xb9, 0x64}, math.MaxUint64: append(long, 1),
	} {
		if got := ULEB(v); !bytes.Equal(got, want) {
			t.Errorf("%d: % x, want % x", v, got, want)
		}
	}
	for v, want := range map[int64][]byte{
		0: {0}, 2: {2}, -2: {0x7e}, 63: {0x3f}, 64: {0xc0, 0}, -64: {0x40}, -65: {0xbf, 0x7f}, 127: {0xff, 0}, -127: {0x81, 0x7f}, 128: {0x80, 1}, -128: {0x80, 0x7f}, 129: {0x81, 1}, -129: {0xff, 0x7e},
		math.MaxInt64: append(bytes.Repeat([]byte{0xff}, 9), 0), math.MinInt64: append(bytes.Repeat([]byte{0x80}, 9), 0x7f),
	} {
		if got := SLEB(v); !bytes.Equal(got, want) {
			t.Errorf("%d: % x, want % x", v, got, want)
		}
	}
	if got := append(ULEB(1, 300), SLEB(-1, 300)...); !bytes.Equal(got, []byte{1, 0xac, 2, 0x7f, 0xac, 2}) {
		t.Errorf("several: % x", got)
	}
}
