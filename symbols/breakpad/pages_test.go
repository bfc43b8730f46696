package breakpad

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
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

// TestPageEnds reads at the ends of pages and of the file.
func TestPageEnds(t *testing.T) {
	data := []byte(strings.Repeat("0123456789abcdef", 20)) // five pages of 64 bytes, each with 16 bytes of the next one
	for _, tt := range []struct {
		name      string
		off, size int
		n, reads  int
	}{
		{"what the page before has, too", 64, 16, 16, 0},
		{"one byte more", 64, 17, 17, 1},
		{"the last bytes of that", 72, 8, 8, 0},
		{"and one behind them", 72, 9, 9, 1},
		{"the end", 5*64 - 4, 4, 4, 1},
		{"beyond the end", 5*64 - 4, 5, 4, 1},
		{"at the end", 5 * 64, 1, 0, 0},
		{"as much as passes the pages by", 0, 128, 128, 1},
		{"one byte less", 0, 127, 127, 1},
	} {
		p := paged(asSource(data), 64)
		p.page(0)
		before := p.reads
		got := make([]byte, tt.size)
		n, err := p.ReadAt(got, int64(tt.off))
		if n != tt.n || p.reads-before != tt.reads || !bytes.Equal(got[:n], data[tt.off:tt.off+n]) || (err == io.EOF) != (n < tt.size) {
			t.Errorf("%s: %d bytes, %v, %d reads, want %d bytes and %d reads", tt.name, n, err, p.reads-before, tt.n, tt.reads)
		}
	}
	p := paged(asSource(data[:5*64-8]), 64)
	if n, err := p.ReadAt(make([]byte, 4), 5*64-8); n != 0 || err != io.EOF {
		t.Errorf("behind a page that the end cuts: %d bytes, %v", n, err)
	}
}

// TestLargePages keeps more of the pages that a browser reads, and fewer of others.
func TestLargePages(t *testing.T) {
	for size, want := range map[int64]int{largePage - 2: keptPages, largePage: keptLarge} {
		p := paged(asSource(make([]byte, (keptLarge+2)*size)), size)
		for i := range int64(keptLarge + 2) {
			p.page(i)
		}
		if len(p.kept) != want {
			t.Errorf("%d pages of %d bytes are kept, want %d", len(p.kept), size, want)
		}
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
