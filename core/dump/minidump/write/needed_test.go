package write

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
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

// The stack points to the header of a dependent exception, that to the object, its header to the type, and that to the name: each is
// needed for the verdict.
func TestNeededForExceptions(t *testing.T) {
	p := crashed(false, &cpu.AMD64)
	const stack, dependent, object, info, name, behind = 0x7000_0000, 0x10_0080, 0x20_0080, 0x30_0000, 0x60_0000, 0x70_0000
	image := make([]byte, 0x600)
	place := func(off int, v uint64) { binary.LittleEndian.PutUint64(image[off:], v) }
	var ranges []process.Range
	for i, base := range []uint64{stack, dependent - 0x80, object - 0x80, info, name, behind} {
		ranges = append(ranges, rangeAt(base, uint64(i*0x100), 0x100))
	}
	place(0x0, dependent)
	place(0x100+0x30, object)
	place(0x200+0x30, info)
	place(0x300+8, name)
	place(0x400, behind)
	p.Memory = process.NewMemory(process.NewPager(bin.NewSource(bytes.NewReader(image), int64(len(image)))), false, ranges, func(error) {})
	p.Threads[1].Registers.Regs.Set(cpu.AMD64.SP, stack)
	p.Regions = nil
	list, notes := needed(p)
	var bases []uint64
	for _, r := range list {
		bases = append(bases, r.Base)
	}
	if want := []uint64{dependent - 0x80, object - 0x80, info, name, stack}; !slices.Equal(bases, want) || len(notes) > 0 {
		t.Errorf("%#x, want %#x, %v", bases, want, notes)
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
