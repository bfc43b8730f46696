package breakpad

import (
	"cmp"
	"io"
	"slices"

	"crashglass/core/bin"
)

// pageSize is how much of a file is read at once to answer a question, if
// nothing else is asked for: what is best for a file on a disk.
const pageSize = 16 << 10

// keptPages is how many pages of a file are kept. What a search finds in a page
// it keeps as a block, so a page is wanted again only for the records around
// the one that was read last.
const keptPages = 8

// keptLarge is how many pages are kept of those that a browser reads: it takes
// as long for one that was dropped as for another.
const keptLarge, largePage = 24, 64 << 10

// overlap is how much is read beyond a page: the last line goes on there, and
// the next page need not be read for its end.
const overlap = 4 << 10

// pages reads a file in pages and keeps those that were used lately. A read of
// several pages at once is passed on: a scan would only replace what is kept.
type pages struct {
	src   bin.Source
	size  int64 // of a page
	kept  []*page
	clock int // counts uses
	reads int // of the file
}

// A page is a piece of the file that is kept. Its memory is used again for
// another one, so what ReadAt returns is a copy.
type page struct {
	number int64 // or unread
	data   []byte
	used   int // when
}

// unread is the number of a page that could not be read. No page has the one
// before the first either.
const unread = -2

// paged returns the file read in pages of a size.
func paged(src bin.Source, size int64) *pages { return &pages{src: src, size: size} }

// ReadAt implements io.ReaderAt.
func (p *pages) ReadAt(b []byte, off int64) (n int, err error) {
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

// from returns the rest of the page that an offset lies in. Where the page
// before goes on for as long as what is asked for, that will do.
func (p *pages) from(off int64, size int) ([]byte, error) {
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
func (p *pages) find(number int64) []byte {
	for _, k := range p.kept {
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
func (p *pages) page(number int64) ([]byte, error) {
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

// oldest returns a page to read into: a new one or, if there are enough, the
// one that was not used for longest.
func (p *pages) oldest() *page {
	if len(p.kept) < keptPages || p.size >= largePage && len(p.kept) < keptLarge {
		k := &page{data: make([]byte, min(p.size+min(overlap, p.size/4), p.src.Size()))}
		p.kept = append(p.kept, k)
		return k
	}
	return slices.MinFunc(p.kept, func(a, b *page) int { return cmp.Compare(a.used, b.used) })
}
