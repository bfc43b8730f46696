package breakpad

import (
	"io"

	"crashglass/core/bin"
)

// pageSize is how much of a file is read at once to answer a question, if
// nothing else is asked for: what is best for a file on a disk.
const pageSize = 16 << 10

// keptPages is how many pages of a file are kept.
const keptPages = 64

// overlap is how much is read beyond a page: the last line goes on there, and
// the next page need not be read for its end.
const overlap = 4 << 10

// pages reads a file in pages and keeps those that were used lately. A read of
// several pages at once is passed on: a scan would only replace what is kept.
type pages struct {
	src   bin.Source
	size  int64 // of a page
	kept  cache[[]byte]
	reads int // of the file
}

// paged returns the file read in pages of a size.
func paged(src bin.Source, size int64) *pages {
	return &pages{src: src, size: size, kept: cache[[]byte]{Limit: keptPages * int(size)}}
}

// ReadAt implements io.ReaderAt.
func (p *pages) ReadAt(b []byte, off int64) (n int, err error) {
	if int64(len(b)) >= 2*p.size {
		p.reads++
		return p.src.ReadAt(b, off)
	}
	for n < len(b) {
		page, err := p.from(off+int64(n), len(b)-n)
		if err != nil {
			return n, err
		}
		n += copy(b[n:], page)
	}
	return n, nil
}

// from returns the rest of the page that an offset lies in. Where the page
// before goes on for as long as what is asked for, that will do.
func (p *pages) from(off int64, size int) ([]byte, error) {
	number, at := off/p.size, off%p.size
	if before, ok := p.kept.Get(number - 1); ok && at+int64(size) <= int64(len(before))-p.size {
		return before[p.size+at:], nil
	}
	page, err := p.page(number)
	if err != nil {
		return nil, err
	}
	if at >= int64(len(page)) {
		return nil, io.EOF
	}
	return page[at:], nil
}

// page returns the page with a number and what overlaps with the next. It is
// shorter at the end of the file.
func (p *pages) page(number int64) ([]byte, error) {
	if page, ok := p.kept.Get(number); ok {
		return page, nil
	}
	off := number * p.size
	if off >= p.src.Size() {
		return nil, io.EOF
	}
	p.reads++
	page, err := p.src.ReadUpTo("page of the symbol file", off, uint64(p.size+min(overlap, p.size/4)))
	if err != nil {
		return nil, err
	}
	p.kept.Put(number, page, len(page))
	return page, nil
}
