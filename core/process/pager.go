package process

import (
	"io"
	"sync"

	"crashglass/core/base/bin"
)

const (
	// pageSize is the number of bytes that are read at once. In a browser every read costs some 20
	// microseconds, independent of its size.
	pageSize = 64 << 10

	// maxPages bounds the cache. Stacks, contexts and names lie close together
	// in a dump; a walk needs two or three pages at a time.
	maxPages = 32
)

// A Pager reads a file in whole pages and caches the last few. A module list takes hundreds of reads of
// a few bytes, and a stack walk takes thousands.
type Pager struct {
	src bin.Source

	mu    sync.Mutex
	pages map[int64]*page
	last  *page // the last page used, and probably the next
	clock uint64
}

type page struct {
	start int64
	data  []byte
	used  uint64
}

// NewPager returns a pager for a file.
func NewPager(src bin.Source) *Pager {
	return &Pager{src: src, pages: map[int64]*page{}}
}

// ReadAt reads through the cache. Reads that are longer than a page bypass it.
func (p *Pager) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || off >= p.src.Size() {
		return 0, io.EOF
	}
	if len(b) > pageSize {
		return p.src.ReadAt(b, off)
	}
	n := p.Fill(b, off)
	if n < len(b) {
		return n, p.why(off + int64(n))
	}
	return n, nil
}

// Fill reads through the cache up to the end of the file, and returns the number of bytes. Its
// argument does not escape, so a word of a stack costs no allocation.
func (p *Pager) Fill(b []byte, off int64) int {
	done := 0
	for done < len(b) {
		n := p.copy(b[done:], off+int64(done))
		if n == 0 {
			break
		}
		done += n
	}
	return done
}

// why returns the error for a read at off that returned nothing.
func (p *Pager) why(off int64) error {
	if off >= p.src.Size() {
		return io.EOF
	}
	_, err := p.src.ReadUpTo("page", off, 1)
	return err
}

func (p *Pager) copy(b []byte, off int64) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	pg := p.page(off - off%pageSize)
	if pg == nil || off-pg.start >= int64(len(pg.data)) {
		return 0
	}
	return copy(b, pg.data[off-pg.start:])
}

// page returns the page at start, or nil when it cannot be read.
func (p *Pager) page(start int64) *page {
	if p.last != nil && p.last.start == start {
		return p.last
	}
	pg, ok := p.pages[start]
	if !ok {
		data, err := p.src.ReadUpTo("page", start, pageSize)
		if err != nil {
			return nil
		}
		p.evict()
		pg = &page{start: start, data: data}
		p.pages[start] = pg
	}
	p.clock++
	pg.used = p.clock
	p.last = pg
	return pg
}

// evict drops the least recently used page.
func (p *Pager) evict() {
	if len(p.pages) < maxPages {
		return
	}
	var oldest int64 = -1
	for start, pg := range p.pages {
		if oldest < 0 || pg.used < p.pages[oldest].used {
			oldest = start
		}
	}
	delete(p.pages, oldest)
}
