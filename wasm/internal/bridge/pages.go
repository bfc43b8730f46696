package bridge

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"io"
	"sync"
)

// PageSize is the smallest read from JavaScript. A call of FileReaderSync takes 0.6 to 0.9 ms
// whether it reads 4 KiB or 64 KiB.
const PageSize = 64 << 10

// readAhead is how many pages are read if the page before them is in the cache. A sequential reader
// will need the next ones too, and four pages cost less than two calls. Random reads do not profit
// from more than one page.
const readAhead = 4

// A Cache keeps the pages that were used last, of all files together. Its zero value keeps nothing.
// It is safe for several goroutines.
type Cache struct {
	mu    sync.Mutex
	limit int // pages
	pages map[pageKey]*list.Element
	used  list.List // of page, latest first
}

type pageKey struct {
	file *Pages
	page int64
}

type page struct {
	pageKey
	data []byte
}

// NewCache makes a cache of at most so many bytes, in whole pages.
func NewCache(bytes int64) *Cache {
	return &Cache{limit: int(bytes / PageSize), pages: map[pageKey]*list.Element{}}
}

func (c *Cache) get(key pageKey) []byte {
	e, ok := c.pages[key]
	if !ok {
		return nil
	}
	c.used.MoveToFront(e)
	return e.Value.(page).data
}

func (c *Cache) has(key pageKey) bool { return c.pages[key] != nil }

func (c *Cache) put(key pageKey, data []byte) {
	if c.limit == 0 {
		return
	}
	for c.used.Len() >= c.limit {
		delete(c.pages, c.used.Remove(c.used.Back()).(page).pageKey)
	}
	c.pages[key] = c.used.PushFront(page{key, data})
}

func (c *Cache) drop(key pageKey) {
	if e, ok := c.pages[key]; ok {
		c.used.Remove(e)
		delete(c.pages, key)
	}
}

// Pages reads a file through a [Cache].
type Pages struct {
	remote bool // a file at a host: reads are not rounded to pages
	size   int64
	fetch  func(p []byte, off int64) error // fills p; the range is within the file
	cache  *Cache

	release func() // tells the page that the file is closed; nil if it need not know
}

// ErrClosed is the error of reading a file after Close.
var ErrClosed = errors.New("the file is closed")

// Close frees what is kept of the file, here and in the page. It cannot be read afterwards.
func (f *Pages) Close() {
	f.cache.mu.Lock()
	for key := range f.cache.pages {
		if key.file == f {
			f.cache.drop(key)
		}
	}
	f.cache.mu.Unlock()
	f.fetch = func([]byte, int64) error { return ErrClosed }
	if f.release != nil {
		f.release()
	}
}

// ErrNotHere is the error of reading bytes of a remote file that have not arrived yet.
var ErrNotHere = errors.New("this part of the file is not here yet")

// NewRemote reads a file at a host. fetch fails with ErrNotHere for bytes that have not arrived.
// They are not cached here, because the page keeps them.
func NewRemote(size int64, fetch func(p []byte, off int64) error) *Pages {
	return &Pages{remote: true, size: max(size, 0), fetch: fetch, cache: &Cache{}}
}

// Remote reports whether the file is at a host.
func (f *Pages) Remote() bool { return f.remote }

// NewPages reads a file of size bytes through fetch, which gets only ranges within the file.
func NewPages(size int64, cache *Cache, fetch func(p []byte, off int64) error) *Pages {
	return &Pages{size: max(size, 0), fetch: fetch, cache: cache}
}

// Size is the file's size in bytes.
func (f *Pages) Size() int64 { return f.size }

// ReadAt implements io.ReaderAt. A read of more than a page bypasses the cache: callers that read
// so much at once keep the bytes themselves, or need them once.
func (f *Pages) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("bridge: read at %d: negative offset", off)
	}
	if off >= f.size {
		return 0, io.EOF
	}
	var end error
	if int64(len(p)) > f.size-off {
		p, end = p[:f.size-off], io.EOF
	}
	if f.remote || len(p) > PageSize {
		if err := f.fetch(p, off); err != nil {
			return 0, err
		}
		return len(p), end
	}
	for n := 0; n < len(p); {
		number, last := (off+int64(n))/PageSize, (off+int64(len(p))-1)/PageSize
		data, err := f.page(number, last-number+1)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], data[(off+int64(n))%PageSize:])
	}
	return len(p), end
}

// forget drops the pages of a range that is about to be written.
func (f *Pages) forget(off, n int64) {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	for number := off / PageSize; number*PageSize < off+n; number++ {
		f.cache.drop(pageKey{f, number})
	}
}

// page returns one whole page, and also reads pages that are probably needed next. The last page of
// a file may be short.
func (f *Pages) page(number, wanted int64) ([]byte, error) {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	if data := f.cache.get(pageKey{f, number}); data != nil {
		return data, nil
	}
	start := number * PageSize
	data := make([]byte, min(f.missing(number, wanted)*PageSize, f.size-start))
	if err := f.fetch(data, start); err != nil {
		return nil, err
	}
	// The requested page is added last, so that it counts as the latest.
	for i := int64(len(data)-1) / PageSize; i >= 0; i-- {
		one := data[i*PageSize : min((i+1)*PageSize, int64(len(data)))]
		f.cache.put(pageKey{f, number + i}, bytes.Clone(one))
	}
	return data[:min(PageSize, len(data))], nil
}

// missing is how many pages to read, starting at one that is not cached: the requested ones, and
// more for a sequential reader. It fills at most half of a small cache.
func (f *Pages) missing(number, wanted int64) int64 {
	most := wanted
	if f.cache.has(pageKey{f, number - 1}) {
		most = readAhead
	}
	most = min(most, int64(f.cache.limit/2))
	n := int64(1)
	for n < most && !f.cache.has(pageKey{f, number + n}) {
		n++
	}
	return n
}
