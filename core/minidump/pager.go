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
	clock uint64
}

type page struct {
	data []byte
	used uint64
}

// paged puts a cache in front of a file.
func paged(src bin.Source) bin.Source {
	return bin.NewSource(&pager{src: src, pages: map[int64]*page{}}, src.Size())
}

// ReadAt reads through the cache. Reads that are longer than a page go past it.
func (p *pager) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || off >= p.src.Size() {
		return 0, io.EOF
	}
	if len(b) > pageSize {
		return p.src.ReadAt(b, off)
	}
	done := 0
	for done < len(b) {
		n, err := p.copy(b[done:], off+int64(done))
		done += n
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// copy copies what one page has of the bytes at off.
func (p *pager) copy(b []byte, off int64) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	start := off - off%pageSize
	pg, ok := p.pages[start]
	if !ok {
		data, err := p.src.ReadUpTo("page", start, pageSize)
		if err != nil {
			return 0, err
		}
		p.evict()
		pg = &page{data: data}
		p.pages[start] = pg
	}
	p.clock++
	pg.used = p.clock
	n := copy(b, pg.data[min(off-start, int64(len(pg.data))):])
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
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
