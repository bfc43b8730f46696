package breakpad

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestPages reads here and there. The memory of a page is used again, and what
// was read from it before stays.
func TestPages(t *testing.T) {
	data := make([]byte, 100*128+50)
	for i := range data {
		data[i] = byte(i / 3)
	}
	p := paged(asSource(data), 128)
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		off := rnd.IntN(len(data))
		got := make([]byte, min(1+rnd.IntN(200), len(data)-off))
		if n, err := p.ReadAt(got, int64(off)); n != len(got) || err != nil || !bytes.Equal(got, data[off:off+n]) {
			t.Fatalf("%d bytes at %d: %d, %v", len(got), off, n, err)
		}
	}
	if len(p.kept) != keptPages {
		t.Errorf("%d pages are kept, want %d", len(p.kept), keptPages)
	}
}

// TestSearchLearns asks for two functions that are near each other. The second search
// begins with the blocks that the first one read.
func TestSearchLearns(t *testing.T) {
	f := searching(t, warmSymbols(), 2<<10)
	s := f.asked.search
	for _, addr := range []uint64{0x20000, 0x22000} {
		before := s.scans
		if _, ok := s.find(byFunc, addr); !ok {
			t.Fatalf("%#x is not found", addr)
		}
		t.Logf("%#x: %d blocks", addr, s.scans-before)
		if addr == 0x22000 && s.scans > before+2 {
			t.Errorf("%#x took %d blocks, want at most 2", addr, s.scans-before)
		}
	}
}
