package process

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"crashglass/core/base/bin"
)

// Random memory with removed parts, against a map of its bytes.
func TestRemoved(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		file := make([]byte, 64)
		for i := range file {
			file[i] = byte(i + 1)
		}
		var parts []Location
		gone := map[uint64]bool{}
		for range random.IntN(6) {
			p := Location{RVA: random.Uint64N(64), Size: random.Uint64N(10)}
			for i := range p.Size {
				gone[p.RVA+i] = true
			}
			parts = append(parts, p)
		}
		var ranges []Range
		for range 1 + random.IntN(4) { // they may share bytes
			at := random.Uint64N(50)
			ranges = append(ranges, Range{Base: 0x100 + random.Uint64N(60), Location: Location{RVA: at, Size: 1 + random.Uint64N(64-at)}})
		}
		src := bin.NewSource(bytes.NewReader(file), int64(len(file)))
		whole := NewMemory(NewPager(src), false, ranges, func(error) {})
		checkRemoved(t, whole, whole.Without(NewRemoved(parts)), gone)
	}
}

func checkRemoved(t *testing.T, whole, m *Memory, gone map[uint64]bool) {
	has := func(addr uint64) bool {
		var b [1]byte
		return whole.Read(addr, b[:]) == 1 && !gone[uint64(b[0])-1]
	}
	next, isNext := uint64(0), false
	for addr := uint64(0x200); addr >= 0xf0; addr-- {
		if has(addr) {
			next, isNext = addr, true
		}
		if got, ok := m.Next(addr); got != next || ok != isNext {
			t.Fatalf("after %#x follows %#x, %v; want %#x, %v", addr, got, ok, next, isNext)
		}
		want := 0
		for want < 8 && has(addr+uint64(want)) {
			want++
		}
		data, all := make([]byte, 8), make([]byte, 8)
		whole.Read(addr, all)
		if n := m.Read(addr, data); n != want || !bytes.Equal(data[:n], all[:n]) {
			t.Fatalf("%d bytes at %#x, %x; want %d, %x", n, addr, data, want, all)
		}
		if _, ok := m.Word(addr, 4); ok != (want >= 4) {
			t.Fatalf("word at %#x: %v, want %v", addr, ok, want >= 4)
		}
		inRun := slices.ContainsFunc(m.Runs(), func(r Range) bool { return addr-r.Base < r.Size })
		if inRun != has(addr) {
			t.Fatalf("%#x is in a run: %v, want %v; %v", addr, inRun, has(addr), m.Runs())
		}
		base, size, ok := m.Range(addr)
		if b, s, k := whole.Range(addr); base != b || size != s || ok != k {
			t.Fatalf("the captured memory around %#x has changed", addr)
		}
	}
	if p := m.Placeholders(); len(gone) > 0 && (p == nil || !slices.Equal(p.Runs(), whole.Runs())) {
		t.Fatal("placeholders are not the bytes of the file")
	}
}
