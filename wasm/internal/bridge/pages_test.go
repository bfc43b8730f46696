package bridge

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// counted is a file that counts its reads and their bytes.
type counted struct {
	data         []byte
	calls, bytes int
	err          error
}

func (c *counted) fetch(p []byte, off int64) error {
	c.calls++
	c.bytes += len(p)
	if off < 0 || off+int64(len(p)) > int64(len(c.data)) {
		return errors.New("asked for bytes beyond the file")
	}
	copy(p, c.data[off:])
	return c.err
}

func pattern(n int) []byte {
	data := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func TestPagesIsAReader(t *testing.T) {
	for _, size := range []int{1, PageSize - 1, PageSize, PageSize + 1, 3*PageSize + 77} {
		file := &counted{data: pattern(size)}
		pages := NewPages(int64(size), NewCache(2*PageSize), file.fetch)
		r := io.NewSectionReader(pages, 0, int64(size))
		if err := iotest.TestReader(r, file.data); err != nil {
			t.Errorf("file of %d bytes: %v", size, err)
		}
	}
}

func TestPagesAtTheEnd(t *testing.T) {
	file := &counted{data: pattern(10)}
	pages := NewPages(10, NewCache(PageSize), file.fetch)
	for _, test := range []struct {
		off     int64
		n, want int
		err     error
	}{
		{0, 10, 10, nil},
		{0, 11, 10, io.EOF},
		{9, 2, 1, io.EOF},
		{10, 1, 0, io.EOF},
		{1 << 62, 1, 0, io.EOF},
		{0, PageSize * 2, 10, io.EOF},
	} {
		p := make([]byte, test.n)
		n, err := pages.ReadAt(p, test.off)
		if n != test.want || err != test.err {
			t.Errorf("ReadAt(%d bytes, %d) = %d, %v; want %d, %v", test.n, test.off, n, err, test.want, test.err)
		}
		if test.off < 10 && !bytes.Equal(p[:n], file.data[test.off:][:n]) {
			t.Errorf("ReadAt(%d bytes, %d): wrong bytes", test.n, test.off)
		}
	}
	if _, err := pages.ReadAt(make([]byte, 1), -1); err == nil || err.Error() != "bridge: read at -1: negative offset" {
		t.Errorf("negative offset: %v", err)
	}
}

func TestCacheKeepsTheLatest(t *testing.T) {
	file := &counted{data: pattern(4 * PageSize)}
	pages := NewPages(4*PageSize, NewCache(2*PageSize), file.fetch)
	for _, step := range []struct {
		page  int64
		calls int
	}{
		{0, 1}, {0, 1}, {1, 2}, {0, 2},
		{2, 3}, // drops 1, which was used before 0
		{0, 3}, {1, 4},
	} {
		var b [1]byte
		if _, err := pages.ReadAt(b[:], step.page*PageSize+5); err != nil {
			t.Fatal(err)
		}
		if file.calls != step.calls {
			t.Errorf("after page %d: %d calls, want %d", step.page, file.calls, step.calls)
		}
	}
}

// A sequential read reads ahead, up to a cached page or the end. A random read does not.
func TestPagesReadAhead(t *testing.T) {
	file := &counted{data: pattern(20*PageSize - 1)}
	pages := NewPages(int64(len(file.data)), NewCache(20*PageSize), file.fetch)
	for _, step := range []struct {
		page, fetched int64
	}{
		{8, 1}, {0, 1}, {2, 1}, {1, 1}, {3, 4}, {4, 0}, {6, 0}, {7, 1}, {9, 4}, {13, 4}, {17, 3}, {19, 0},
	} {
		before := file.bytes
		var b [1]byte
		if _, err := pages.ReadAt(b[:], step.page*PageSize+5); err != nil || b[0] != file.data[step.page*PageSize+5] {
			t.Fatalf("page %d: reads %d, %v", step.page, b[0], err)
		}
		if n := int64(file.bytes-before+PageSize-1) / PageSize; n != step.fetched {
			t.Errorf("page %d: %d pages are fetched, want %d", step.page, n, step.fetched)
		}
	}
}

// A reader of one page at a time makes one call for four pages, wherever it begins.
func TestPagesInARow(t *testing.T) {
	file := &counted{data: pattern(41 * PageSize)}
	pages := NewPages(int64(len(file.data)), NewCache(20*PageSize), file.fetch)
	p := make([]byte, PageSize)
	for i := range 40 {
		off := int64(i*PageSize + 77)
		if _, err := pages.ReadAt(p, off); err != nil || !bytes.Equal(p, file.data[off:][:PageSize]) {
			t.Fatalf("at %d: %v", off, err)
		}
	}
	if file.calls != 11 || file.bytes != len(file.data) {
		t.Errorf("%d calls for %d bytes; want 11 for %d", file.calls, file.bytes, len(file.data))
	}
}

func TestLargeReadsGoPastTheCache(t *testing.T) {
	file := &counted{data: pattern(5 * PageSize)}
	cache := NewCache(8 * PageSize)
	pages := NewPages(5*PageSize, cache, file.fetch)
	p := make([]byte, 4*PageSize)
	if _, err := pages.ReadAt(p, 7); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p, file.data[7:][:len(p)]) || file.calls != 1 || file.bytes != len(p) || cache.used.Len() != 0 {
		t.Errorf("%d calls for %d bytes, %d pages kept; want one call, none kept", file.calls, file.bytes, cache.used.Len())
	}
}

func TestFilesDoNotShareAPage(t *testing.T) {
	cache := NewCache(8 * PageSize)
	one := NewPages(1, cache, (&counted{data: []byte{1}}).fetch)
	two := NewPages(1, cache, (&counted{data: []byte{2}}).fetch)
	var b [1]byte
	for range 2 {
		for want, f := range []*Pages{1: one, 2: two} {
			if f == nil {
				continue
			}
			if _, err := f.ReadAt(b[:], 0); err != nil || int(b[0]) != want {
				t.Errorf("file %d reads %d, %v", want, b[0], err)
			}
		}
	}
}

// A page whose read failed must not be cached.
func TestFailedPageIsNotKept(t *testing.T) {
	file := &counted{data: pattern(100), err: errors.New("gone")}
	pages := NewPages(100, NewCache(PageSize), file.fetch)
	p := make([]byte, 10)
	if n, err := pages.ReadAt(p, 0); n != 0 || err == nil || err.Error() != "gone" {
		t.Fatalf("ReadAt = %d, %v", n, err)
	}
	file.err = nil
	if n, err := pages.ReadAt(p, 0); n != 10 || err != nil || !bytes.Equal(p, file.data[:10]) {
		t.Errorf("second ReadAt = %d, %v", n, err)
	}
}

// A closed file keeps no pages and tells the page. Another one keeps its own.
func TestClose(t *testing.T) {
	cache := NewCache(8 * PageSize)
	one, two := NewPages(PageSize+1, cache, (&counted{data: pattern(PageSize + 1)}).fetch), NewPages(1, cache, (&counted{data: []byte{2}}).fetch)
	released := 0
	one.release = func() { released++ }
	var b [1]byte
	for _, f := range []*Pages{one, two} {
		if _, err := f.ReadAt(b[:], f.Size()-1); err != nil {
			t.Fatal(err)
		}
	}
	one.Close()

	if released != 1 || len(cache.pages) != 1 || cache.used.Len() != 1 {
		t.Errorf("released %d times, %d pages are kept, want 1 and 1", released, len(cache.pages))
	}

	if _, err := one.ReadAt(b[:], 0); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed file: %v", err)
	}
	if _, err := two.ReadAt(b[:], 0); err != nil || b[0] != 2 {
		t.Errorf("another file: %d, %v", b[0], err)
	}
}
