package decompress

import (
	"fmt"
	"io"
	"sort"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/base/recent"
)

// Limits of files that are read in place.
const (
	leastSeeked = 64 << 20 // of contents: smaller files are decompressed as a whole
	maxBlock    = 64 << 20 // of one block, decompressed
	maxBlocks   = 1 << 20
	mostCached  = 96 << 20 // of all blocks that are kept: four of `xz -T0`
)

// Seekers returns, by the name of each format with blocks, a function that opens such a file for
// random access and returns the size of its largest block. So a large core is read in a few blocks
// and not decompressed as a whole. The function reports false for a file of one block, and for a
// small file.
func Seekers() map[string]func(bin.Source) (bin.Source, int64, bool) {
	seeker := func(list func(bin.Source) (*blocks, bool)) func(bin.Source) (bin.Source, int64, bool) {
		return func(src bin.Source) (bin.Source, int64, bool) {
			b, ok := list(src)
			if !ok || b.size < leastSeeked || len(b.list) < 2 {
				return bin.Source{}, 0, false
			}
			return bin.NewSource(b, b.size), b.largest, true
		}
	}
	return map[string]func(bin.Source) (bin.Source, int64, bool){"zstd": seeker(zstdBlocks), "xz": seeker(xzBlocks)}
}

// blocks is a compressed file that is read by its blocks.
type blocks struct {
	src  bin.Source
	list []block // in the order of the contents, without gaps
	size int64
	open func(block) (io.Reader, error)

	largest int64 // of the sizes of blocks

	mu     sync.Mutex
	cached recent.Cache[int, []byte] // by the number of a block
}

// A block is a part of the file that can be decompressed alone.
type block struct {
	off, packed int64 // in the file
	at, size    int64 // of the contents
}

// add lists the next block, and reports whether it can be read in place.
func (b *blocks) add(off, packed, size int64) bool {
	if packed <= 0 || size < 0 || size > maxBlock || len(b.list) == maxBlocks || !b.src.Has(off, uint64(packed)) {
		return false
	}
	if size > 0 {
		b.list = append(b.list, block{off, packed, b.size, size})
		b.size += size
		b.largest = max(b.largest, size)
	}
	return true
}

// ReadAt implements io.ReaderAt.
func (b *blocks) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("negative offset %d", off)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for n < len(p) && off < b.size {
		i := b.at(off)
		data, err := b.block(i)
		if err != nil {
			return n, err
		}
		k := copy(p[n:], data[off-b.list[i].at:])
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (b *blocks) at(off int64) int {
	return max(sort.Search(len(b.list), func(i int) bool { return b.list[i].at > off })-1, 0)
}

func (b *blocks) block(i int) ([]byte, error) {
	if data, ok := b.cached.Get(i); ok {
		return data, nil
	}
	data, err := b.decompress(b.list[i])
	if err != nil {
		return nil, &bin.Error{What: "compressed block", Off: b.list[i].off, Why: err.Error()}
	}
	b.cached.Limit = mostCached
	b.cached.Put(i, data, len(data))
	return data, nil
}

// decompress reads a block to its end, where its checksum is.
func (b *blocks) decompress(k block) ([]byte, error) {
	r, err := b.open(k)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, k.size+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != k.size {
		return nil, fmt.Errorf("it has %d bytes or more, and the table says %d", len(data), k.size)
	}
	return data, nil
}

// section is a part of the file as a stream.
func (b *blocks) section(off, n int64) io.Reader { return io.NewSectionReader(b.src, off, n) }
