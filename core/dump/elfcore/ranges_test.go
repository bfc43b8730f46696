package elfcore

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
)

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
