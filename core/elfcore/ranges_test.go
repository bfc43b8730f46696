package elfcore

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"crashglass/core/minidump"
	"crashglass/core/testkit/asm"
)

func rangeAt(base, off, size uint64) minidump.Range {
	return minidump.Range{Base: base, Location: minidump.Location{RVA: off, Size: size}}
}

// What was captured from an address on, without a gap in memory or in the file.
func TestCaptured(t *testing.T) {
	c := &core{segments: []segment{
		{addr: 0x1000, size: 0x1000, off: 0x100, have: 0x1000},
		{addr: 0x2000, size: 0x1000, off: 0x1100, have: 0x800}, // goes on from the first, and is cut off
		{addr: 0x3000, size: 0x1000, off: 0x2100, have: 0x1000},
		{addr: 0x4000, size: 0x1000, off: 0x9000, have: 0x1000}, // elsewhere in the file
		{addr: 0x6000, size: 0x1000},                            // none of it was captured
	}}
	for _, tt := range []struct {
		addr, size uint64
		want       minidump.Range
	}{
		{0x1000, 0x1000, rangeAt(0x1000, 0x100, 0x1000)},
		{0x1800, 0x100, rangeAt(0x1800, 0x900, 0x100)},
		{0x1800, 0x1000, rangeAt(0x1800, 0x900, 0x1000)}, // into the next one
		{0x1800, 0x9000, rangeAt(0x1800, 0x900, 0x1000)}, // up to what is cut off
		{0x3800, 0x9000, rangeAt(0x3800, 0x2900, 0x800)}, // the next one is elsewhere
		{0x0800, 0x1000, rangeAt(0x1000, 0x100, 0x800)},  // begins before the first
		{0x2800, 0x1000, rangeAt(0x3000, 0x2100, 0x800)}, // begins in a gap
		{0x0800, 0x800, minidump.Range{}},                // ends where the first begins
		{0x5000, 0x1000, minidump.Range{}},               // a gap
		{0x6000, 0x1000, minidump.Range{}},               // not captured
		{0x7000, 0x1000, minidump.Range{}},               // behind the last
		{math.MaxUint64, 0x1000, minidump.Range{}},       // the last address
		{0x4fff, 0x1000, rangeAt(0x4fff, 0x9fff, 1)},     // one byte
	} {
		if got := c.captured(tt.addr, tt.size); got != tt.want {
			t.Errorf("%#x bytes at %#x: %+v, want %+v", tt.size, tt.addr, got, tt.want)
		}
	}
}

// Ranges that overlap keep each byte once, with its place in the file.
func TestDisjoint(t *testing.T) {
	for _, tt := range []struct{ in, want []minidump.Range }{
		{nil, nil},
		{[]minidump.Range{rangeAt(5, 50, 5), rangeAt(0, 10, 5)}, []minidump.Range{rangeAt(0, 10, 5), rangeAt(5, 50, 5)}},
		{[]minidump.Range{rangeAt(0, 10, 8), rangeAt(5, 15, 5)}, []minidump.Range{rangeAt(0, 10, 8), rangeAt(8, 18, 2)}},
		{[]minidump.Range{rangeAt(0, 10, 8), rangeAt(2, 12, 3)}, []minidump.Range{rangeAt(0, 10, 8)}},
		{[]minidump.Range{rangeAt(0, 10, 8), rangeAt(0, 10, 8)}, []minidump.Range{rangeAt(0, 10, 8)}},
		{[]minidump.Range{{}, rangeAt(3, 13, 0), rangeAt(3, 13, 1)}, []minidump.Range{rangeAt(3, 13, 1)}},
	} {
		if got := disjoint(slices.Clone(tt.in)); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %+v, want %+v", tt.in, got, tt.want)
		}
	}
}

// A thread list has offsets of 32 bits: a stack that ends beyond them has its
// address alone.
func TestPlacedStack(t *testing.T) {
	memory := []minidump.Range{rangeAt(0x1000, 0x500, 0x100), rangeAt(0x2000, math.MaxUint32-0x10, 0x100)}
	for _, tt := range []struct{ stack, want minidump.Range }{
		{rangeAt(0x1000, 0, 0x100), rangeAt(0x1000, 0x500, 0x100)},
		{rangeAt(0x1010, 0, 0x100), rangeAt(0x1010, 0x510, 0xf0)},
		{rangeAt(0x1010, 0, 0x20), rangeAt(0x1010, 0x510, 0x20)},
		{rangeAt(0x10ff, 0, 0x20), rangeAt(0x10ff, 0x5ff, 1)},
		{rangeAt(0x1100, 0, 0x20), minidump.Range{Base: 0x1100}}, // behind it
		{rangeAt(0x0fff, 0, 0x20), minidump.Range{Base: 0x0fff}}, // before all of it
		{rangeAt(0x2000, 0, 0x10), rangeAt(0x2000, math.MaxUint32-0x10, 0x10)},
		{rangeAt(0x2000, 0, 0x11), minidump.Range{Base: 0x2000}},
	} {
		if got := placedStack(memory, tt.stack); got != tt.want {
			t.Errorf("%+v: %+v, want %+v", tt.stack, got, tt.want)
		}
	}
}

// Mappings that lie, each beside what is said of it and what is there of its memory.
func TestDamagedSegments(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		off, addr, have, size uint64
		want                  string
		captured              uint64
	}{
		{"all of it", 0x1000, 0x8000, 0x10, 0x1000, "", 0x10},
		{"larger in the file than in memory", 0x1000, 0x8000, 0x10, 0x8, "", 0x10},
		{"nothing", 0x1000, 0x8000, 0, 0, "", 0},
		{"not captured", 0x1000, 0x8000, 0, 0x1000, "", 0},
		{"beyond the end", 0x1000, 0x8000, 0x20, 0x1000, "memory at 0x1000: 32 bytes of memory at 0x8000 reach beyond the end of the file at 0x1010", 0x10},
		{"behind the end", 0x2000, 0x8000, 0x10, 0x1000, "memory at 0x2000: 16 bytes of memory at 0x8000 reach beyond the end of the file at 0x1010", 0},
		{"a negative offset", 1 << 63, 0x8000, 0x10, 0x1000, "memory at 0x8000000000000000: 16 bytes of memory at 0x8000 reach beyond the end of the file at 0x1010", 0},
		{"around the end of memory", 0x1000, math.MaxUint64 - 7, 0x10, 0x10, "program header at 0x40: 16 bytes at 0xfffffffffffffff8 reach around the end of the address space", 8},
		{"up to the end of memory", 0x1000, math.MaxUint64 - 15, 0x10, 0x10, "", 0x10},
	} {
		f := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 1, 0, 0, 0)
		f.U32(1, 6).U64(tt.off, tt.addr, 0, tt.have, tt.size, 0x1000)
		data := f.Zeros(0x1010 - int(f.Here())).Build(t)
		var want []string
		if tt.want != "" {
			want = []string{tt.want}
		}
		if got := openedNotes(t, data); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
		memory, err := open(t, data).Memory()
		if tt.captured == 0 && err != nil {
			continue // a list without memory
		}
		if err != nil || memory.Total() != tt.captured {
			t.Errorf("%s: %d bytes of memory, %v; want %d", tt.name, memory.Total(), err, tt.captured)
		}
	}
}

// Of mappings that overlap, the one that begins last has the bytes.
func TestSegmentsThatOverlap(t *testing.T) {
	k := sketch{machine: 62, word: 8, mappings: []mapped{
		{asm.At(0x1000).U64(1, 2, 3, 4), 32, 6}, {asm.At(0x1008).U64(20), 8, 6},
	}}
	c, err := read(source(k.build(t)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for addr := uint64(0x1000); addr < 0x1028; addr += 8 {
		v, ok := c.wordAt(addr)
		got = append(got, fmt.Sprint(v, ok))
	}
	// Behind the inner one nothing is sure: the lists are searched by their beginnings.
	if want := []string{"1 true", "20 true", "0 false", "0 false", "0 false"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
