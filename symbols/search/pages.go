package search

import (
	"cmp"
	"io"
	"slices"

	"crashglass/core/base/bin"
)

// cachedPages is how many pages of a file are kept. A search keeps the records of a page as a block,
// so it needs a page again only for the neighbours of the last record.
const cachedPages = 8

// cachedLarge is how many large pages are kept: a browser reads those, and reading one again takes as
// long as reading another.
const cachedLarge, largePage = 24, 64 << 10

// overlap is how many bytes are read beyond a page, so that its last line is complete without
// reading the next page.
const overlap = 4 << 10

// Pages reads a file in pages and keeps those that were used lately. A read of several pages at
// once bypasses the cache: a scan would only replace all pages.
type Pages struct {
	src    bin.Source
	size   int64 // of a page
	cached []*page
	clock  int // counts uses
	reads  int // of the file
}

// A page is a cached part of the file. Its memory is reused for another one, so ReadAt returns
// copies.
type page struct {
	number int64 // or unread
	data   []byte
	used   int // when
}

// unread is the number of a page that could not be read. It is not -1, which is the page before the
// first.
const unread = -2

// NewPages returns a file that is read in pages of a size.
func NewPages(src bin.Source, size int64) *Pages { return &Pages{src: src, size: size} }

// ReadAt implements io.ReaderAt.
func (p *Pages) ReadAt(b []byte, off int64) (n int, err error) {
	if int64(len(b)) >= 2*p.size {
		p.reads++
		return p.src.ReadAt(b, off)
	}
	for n < len(b) {
		part, err := p.from(off+int64(n), len(b)-n)
		if err != nil {
			return n, err
		}
		n += copy(b[n:], part)
	}
	return n, nil
}

// If the previous page's overlap covers the read, it is used instead.
func (p *Pages) from(off int64, size int) ([]byte, error) {
	number, at := off/p.size, off%p.size
	if before := p.find(number - 1); before != nil && at+int64(size) <= int64(len(before))-p.size {
		return before[p.size+at:], nil
	}
	data, err := p.page(number)
	if err != nil {
		return nil, err
	}
	if at >= int64(len(data)) {
		return nil, io.EOF
	}
	return data[at:], nil
}

// find returns a page that is kept, or nil.
func (p *Pages) find(number int64) []byte {
	for _, k := range p.cached {
		if k.number == number {
			p.clock++
			k.used = p.clock
			return k.data
		}
	}
	return nil
}

// page returns the page with a number and what overlaps with the next. It is
// shorter at the end of the file.
func (p *Pages) page(number int64) ([]byte, error) {
	if data := p.find(number); data != nil {
		return data, nil
	}
	off := number * p.size
	if off >= p.src.Size() {
		return nil, io.EOF
	}
	p.reads++
	k := p.oldest()
	k.number, k.data = unread, k.data[:min(int64(cap(k.data)), p.src.Size()-off)]
	if err := p.src.Fill("page of the symbol file", off, k.data); err != nil {
		return nil, err
	}
	p.clock++
	k.number, k.used = number, p.clock
	return k.data, nil
}

// Load reads the page of an offset. An error comes again when the page is used.
func (p *Pages) Load(off int64) { _, _ = p.page(off / p.size) }

// oldest returns a page to read into: a new one or, if there are enough, the one that was used
// longest ago.
func (p *Pages) oldest() *page {
	if len(p.cached) < cachedPages || p.size >= largePage && len(p.cached) < cachedLarge {
		k := &page{data: make([]byte, min(p.size+min(overlap, p.size/4), p.src.Size()))}
		p.cached = append(p.cached, k)
		return k
	}
	return slices.MinFunc(p.cached, func(a, b *page) int { return cmp.Compare(a.used, b.used) })
}
