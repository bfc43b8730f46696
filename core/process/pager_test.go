package process

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"crashglass/core/base/bin"
)

// TestPager counts what is read of the file.
func TestPager(t *testing.T) {
	data := make([]byte, 40*pageSize+100)
	for i := range data {
		data[i] = byte(i * 7)
	}
	c := &counting{r: bytes.NewReader(data)}
	src := NewPager(bin.NewSource(c, int64(len(data))))
	check := func(off, n int64, reads int) {
		t.Helper()
		p := make([]byte, n)
		if got, err := src.ReadAt(p, off); int64(got) != n || err != nil || !bytes.Equal(p, data[off:off+n]) {
			t.Fatalf("%d bytes at %d: %d, %v", n, off, got, err)
		}
		if c.reads != reads {
			t.Errorf("%d bytes at %d: %d reads, want %d", n, off, c.reads, reads)
		}
	}
	check(0, 8, 1)
	check(pageSize-8, 8, 1)
	check(pageSize-4, 8, 2)
	check(40*pageSize, 100, 3)       // the short last page
	check(10, 3*pageSize, 4)         // past the cache
	for i := range int64(maxPages) { // 0, 1 and 40 are there; room for all
		check(i*pageSize, 8, c.reads+min(1, int(max(0, i-1))))
	}
	check(40*pageSize+50, 50, c.reads+1) // least recently used, so it was dropped

	p := make([]byte, 8)
	if n, err := src.ReadAt(p, int64(len(data))-4); n != 4 || !errors.Is(err, io.EOF) {
		t.Errorf("across the end: %d, %v", n, err)
	}
	if n, err := src.ReadAt(p, int64(len(data))); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: %d, %v", n, err)
	}
	if n, err := src.ReadAt(p, -1); n != 0 || err == nil {
		t.Errorf("before the start: %d, %v", n, err)
	}
}

type counting struct {
	r     io.ReaderAt
	reads int
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.reads++
	return c.r.ReadAt(p, off)
}
