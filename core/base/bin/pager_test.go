package bin

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

// counting counts its reads.
type counting struct {
	*bytes.Reader
	mu    sync.Mutex
	reads int
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.mu.Lock()
	c.reads++
	c.mu.Unlock()
	return c.Reader.ReadAt(p, off)
}

// paged is three pages and a bit, with a text across each boundary.
func paged() (*counting, []byte) {
	data := bytes.Repeat([]byte{'.'}, 3*PageSize+100)
	for i := range 3 {
		copy(data[(i+1)*PageSize-3:], "\x00across\x00")
	}
	return &counting{Reader: bytes.NewReader(data)}, data
}

func TestPagerReadsAPageOnce(t *testing.T) {
	r, data := paged()
	p := NewPager("thing", NewSource(r, int64(len(data))), 10*PageSize)
	for range 3 {
		for off := 0; off < PageSize; off += 1000 {
			if b, err := p.From(int64(off)); err != nil || !bytes.Equal(b, data[off:PageSize]) {
				t.Fatalf("at %d: %d bytes, %v", off, len(b), err)
			}
		}
	}
	if r.reads != 1 {
		t.Errorf("read %d times", r.reads)
	}
}

func TestPagerHoldsLittle(t *testing.T) {
	r, data := paged()
	p := NewPager("thing", NewSource(r, int64(len(data))), 2*PageSize)
	for _, page := range []int64{0, 1, 0, 1, 2, 1, 3, 2, 3, 0} { // page 2 evicts 0, page 3 evicts 1
		if _, err := p.From(page * PageSize); err != nil {
			t.Fatal(err)
		}
	}
	held := 0
	for i := range p.pages {
		if p.pages[i].Load() != nil {
			held++
		}
	}
	if held != 2 || r.reads != 5 {
		t.Errorf("holds %d pages after %d reads, want 2 and 5", held, r.reads)
	}
}

func TestPagerString(t *testing.T) {
	r, data := paged()
	p := NewPager("thing", NewSource(r, int64(len(data))), PageSize)
	for _, tt := range []struct {
		off   int64
		limit int
		want  string
		err   string
	}{
		{PageSize - 2, 100, "across", ""},
		{2*PageSize - 2, 100, "across", ""},
		{PageSize - 2, 3, "acr", ""},
		{PageSize - 2, 2, "ac", ""},
		{PageSize, 3, "ros", ""},
		{PageSize - 3, 3, "", ""},
		{3*PageSize + 97, 9, "...", ""}, // the file ends first
		{3*PageSize + 100, 9, "", "thing at 0x30064: lies beyond the end of the file at 0x30064"},
		{-1, 9, "", "thing at 0xffffffffffffffff: lies beyond the end of the file at 0x30064"},
	} {
		if got, err := p.String(tt.off, tt.limit); got != tt.want || errString(err) != tt.err {
			t.Errorf("String(%#x, %d) = %q, %v", tt.off, tt.limit, got, err)
		}
	}
	long, err := NewPager("thing", source(strings.Repeat("x", 3*PageSize)), PageSize).String(5, 2*PageSize)
	if err != nil || long != strings.Repeat("x", 2*PageSize) {
		t.Errorf("%d bytes, %v", len(long), err)
	}
}

func TestPagerBytes(t *testing.T) {
	r, data := paged()
	p := NewPager("thing", NewSource(r, int64(len(data))), PageSize)
	for _, at := range []int64{0, 7, PageSize - 1, PageSize, 3 * PageSize} {
		for _, n := range []uint64{0, 1, 2, 100} {
			got, err := p.Bytes(at, n)
			if err != nil || !bytes.Equal(got, data[at:at+int64(n)]) {
				t.Errorf("%d bytes at %#x: %q, %v", n, at, got, err)
			}
		}
	}
	if _, err := p.Bytes(3*PageSize, 101); errString(err) != "thing at 0x30000: 101 bytes reach beyond the end of the file at 0x30064" {
		t.Error(err)
	}
	if _, err := p.Bytes(0, 1<<60); err == nil {
		t.Error("no error")
	}
	if _, err := NewPager("thing", NewSource(broken{}, 10), 1).Bytes(2, 3); errString(err) != "thing at 0x0: reading failed: broken" {
		t.Error(err)
	}
}

// TestPagerTogether reads from several goroutines while pages are evicted.
func TestPagerTogether(t *testing.T) {
	r, data := paged()
	p := NewPager("thing", NewSource(r, int64(len(data))), PageSize)
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range 1000 {
				off := int64((i*7919 + g) % len(data))
				if b, err := p.Bytes(off, 1); err != nil || b[0] != data[off] {
					t.Errorf("at %#x: %v, %v", off, b, err)
				}
			}
		})
	}
	wait.Wait()
	if len(p.order) != 1 {
		t.Errorf("%d pages in a ring for one", len(p.order))
	}
}
