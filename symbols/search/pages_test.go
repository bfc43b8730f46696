package search

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"crashglass/core/base/bin"
)

func sourceOf(data []byte) bin.Source { return bin.NewSource(bytes.NewReader(data), int64(len(data))) }

// TestPages reads here and there. The memory of a page is used again, and what
// was read from it before stays.
func TestPages(t *testing.T) {
	data := make([]byte, 100*128+50)
	for i := range data {
		data[i] = byte(i / 3)
	}
	p := NewPages(sourceOf(data), 128)
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		off := rnd.IntN(len(data))
		got := make([]byte, min(1+rnd.IntN(200), len(data)-off))
		if n, err := p.ReadAt(got, int64(off)); n != len(got) || err != nil || !bytes.Equal(got, data[off:off+n]) {
			t.Fatalf("%d bytes at %d: %d, %v", len(got), off, n, err)
		}
	}
	if len(p.cached) != cachedPages {
		t.Errorf("%d pages are cached, want %d", len(p.cached), cachedPages)
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
		p := NewPages(sourceOf(data), 64)
		p.page(0)
		before := p.reads
		got := make([]byte, tt.size)
		n, err := p.ReadAt(got, int64(tt.off))
		if n != tt.n || p.reads-before != tt.reads || !bytes.Equal(got[:n], data[tt.off:tt.off+n]) || (err == io.EOF) != (n < tt.size) {
			t.Errorf("%s: %d bytes, %v, %d reads, want %d bytes and %d reads", tt.name, n, err, p.reads-before, tt.n, tt.reads)
		}
	}
	p := NewPages(sourceOf(data[:5*64-8]), 64)
	if n, err := p.ReadAt(make([]byte, 4), 5*64-8); n != 0 || err != io.EOF {
		t.Errorf("behind a page that the end cuts: %d bytes, %v", n, err)
	}
}

// TestLargePages keeps more of the pages that a browser reads, and fewer of others.
func TestLargePages(t *testing.T) {
	for size, want := range map[int64]int{largePage - 2: cachedPages, largePage: cachedLarge} {
		p := NewPages(sourceOf(make([]byte, (cachedLarge+2)*size)), size)
		for i := range int64(cachedLarge + 2) {
			p.page(i)
		}
		if len(p.cached) != want {
			t.Errorf("%d pages of %d bytes are cached, want %d", len(p.cached), size, want)
		}
	}
}

// TestPagesOnce counts the reads of a file: a page is read once as long as it is
// kept, and the one that was used last is kept.
func TestPagesOnce(t *testing.T) {
	p := NewPages(sourceOf(make([]byte, 64*20)), 64)
	read := func(page int64) (reads int) {
		before := p.reads
		if _, err := p.ReadAt(make([]byte, 8), page*64); err != nil {
			t.Fatal(err)
		}
		return p.reads - before
	}
	for i := range int64(cachedPages) {
		if n := read(2 * i); n != 1 {
			t.Errorf("page %d: %d reads, want 1", 2*i, n)
		}
	}
	if n := read(0); n != 0 {
		t.Errorf("a page that is kept: %d reads", n)
	}
	read(18) // takes the place of page 2, which is the oldest now
	for page, want := range map[int64]int{0: 0, 4: 0, 18: 0} {
		if n := read(page); n != want {
			t.Errorf("page %d: %d reads, want %d", page, n, want)
		}
	}
	if n := read(2); n != 1 {
		t.Errorf("the oldest page: %d reads, want 1", n)
	}
	if n, err := p.ReadAt(make([]byte, 8), 64*20); n != 0 || err == nil {
		t.Errorf("behind the end: %d bytes, %v", n, err)
	}
}
