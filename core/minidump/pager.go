package minidump

import (
	"io"
	"sync"

	"crashglass/core/bin"
)

const (
	// pageSize is what is read of the file at once. In a browser every read
	// costs some 20 microseconds whatever its size.
	pageSize = 64 << 10

	// maxPages bounds the cache. Stacks, contexts and names lie close together
	// in a dump; a walk needs two or three pages at a time.
	maxPages = 32
)

// A pager is a file that is read in whole pages, of which the last few are
// kept: parsing a module list takes hundreds of reads of a few bytes, a stack
// walk thousands.
type pager struct {
	src bin.Source

	mu    sync.Mutex
	pages map[int64]*page
	last  *page // used last, and probably next
	clock uint64
}

type page struct {
	start int64
	data  []byte
	used  uint64
}

// newPager puts a cache in front of a file.
func newPager(src bin.Source) *pager {
	return &pager{src: src, pages: map[int64]*page{}}
}

// ReadAt reads through the cache. Reads that are longer than a page go past it.
func (p *pager) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || off >= p.src.Size() {
		return 0, io.EOF
	}
	if len(b) > pageSize {
		return p.src.ReadAt(b, off)
	}
	n := p.fill(b, off)
	if n < len(b) {
		return n, p.why(off + int64(n))
	}
	return n, nil
}

// fill reads through the cache what there is, and returns how much that was.
// Its argument does not escape, so that a word of a stack costs no allocation.
func (p *pager) fill(b []byte, off int64) int {
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

// why says why nothing could be read at off.
func (p *pager) why(off int64) error {
	if off >= p.src.Size() {
		return io.EOF
	}
	_, err := p.src.ReadUpTo("page", off, 1)
	return err
}

// copy copies what one page has of the bytes at off.
func (p *pager) copy(b []byte, off int64) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	pg := p.page(off - off%pageSize)
	if pg == nil || off-pg.start >= int64(len(pg.data)) {
		return 0
	}
	return copy(b, pg.data[off-pg.start:])
}

// page returns the page at start, or nil when it cannot be read.
func (p *pager) page(start int64) *page {
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

// evict makes room for one page by dropping the one that was used longest ago.
func (p *pager) evict() {
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
