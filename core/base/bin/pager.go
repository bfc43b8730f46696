package bin

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// PageSize is the number of bytes that a Pager reads at once.
const PageSize = 64 << 10

// A Pager caches the recently read pages of a Source. It is for sections with references from
// everywhere, mostly string tables. It may be used from several goroutines at once, and its size is
// bounded.
type Pager struct {
	src   Source
	what  string
	pages []atomic.Pointer[[]byte]

	mu    sync.Mutex
	order []int // the cached pages, a ring in the order of reading
	next  int   // the oldest page, which is replaced next
	limit int
}

// NewPager reads src in pages and holds at most limit bytes of it, one page at
// least. What names the section in errors.
func NewPager(what string, src Source, limit int64) *Pager {
	n := (src.Size() + PageSize - 1) / PageSize
	return &Pager{src: src, what: what, pages: make([]atomic.Pointer[[]byte], n), limit: int(max(limit/PageSize, 1))}
}

// Size returns the size of its Source.
func (p *Pager) Size() int64 { return p.src.Size() }

// From returns the bytes from an offset to the end of its page, at least one. The caller must not
// change them.
func (p *Pager) From(off int64) ([]byte, error) {
	if off < 0 || off >= p.src.size {
		_, err := p.src.ReadUpTo(p.what, off, 1)
		return nil, err
	}
	i := int(off / PageSize)
	page := p.pages[i].Load()
	if page == nil {
		data, err := p.src.ReadUpTo(p.what, int64(i)*PageSize, PageSize)
		if err != nil {
			return nil, err
		}
		page = &data
		p.keep(i, page)
	}
	return (*page)[off%PageSize:], nil
}

// keep caches a page, in place of the oldest one if the ring is full.
func (p *Pager) keep(i int, page *[]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pages[i].Swap(page) != nil {
		return // another goroutine was first, and the page is in the ring
	}
	if len(p.order) < p.limit {
		p.order = append(p.order, i)
		return
	}
	p.pages[p.order[p.next]].Store(nil)
	p.order[p.next] = i
	p.next = (p.next + 1) % p.limit
}

// Bytes returns the n bytes at off. The caller must not change them. As with Read, n is checked
// before anything is allocated.
func (p *Pager) Bytes(off int64, n uint64) ([]byte, error) {
	if n > 0 && p.src.Has(off, n) {
		if b, err := p.From(off); err != nil || uint64(len(b)) >= n {
			return b[:min(n, uint64(len(b)))], err
		}
	}
	return p.src.Read(p.what, off, n)
}

// String returns the text at off up to a zero byte, the end of the file or
// limit bytes.
func (p *Pager) String(off int64, limit int) (string, error) {
	b, err := p.From(off)
	if err != nil {
		return "", err
	}
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return string(b[:min(n, limit)]), nil
	}
	out := append([]byte(nil), b...)
	for len(out) < limit && off+int64(len(out)) < p.src.size {
		if b, err = p.From(off + int64(len(out))); err != nil {
			return "", err
		}
		n := bytes.IndexByte(b, 0)
		if n >= 0 {
			out = append(out, b[:n]...)
			break
		}
		out = append(out, b...)
	}
	return string(out[:min(len(out), limit)]), nil
}
