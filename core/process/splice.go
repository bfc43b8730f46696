package process

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"crashglass/core/base/bin"
)

// Spliced returns a file that begins with some bytes and continues with captured memory, at the ranges' locations. These are sorted by
// offset, and without gaps. The memory is read from its own file when it is needed.
func Spliced(head []byte, memory *Memory, ranges []Range) bin.Source {
	size := int64(len(head))
	if n := len(ranges); n > 0 {
		size = int64(ranges[n-1].RVA + ranges[n-1].Size)
	}
	return bin.NewSource(&spliced{memory, head, ranges}, size)
}

// SpliceAlign is the alignment of the memory in a new file: pages of the process are pages of the file.
const SpliceAlign = 4 << 10

type spliced struct {
	memory *Memory
	head   []byte
	ranges []Range
}

var errNegative = errors.New("negative offset")

// ReadAt implements io.ReaderAt.
func (v *spliced) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errNegative
	}
	if off < int64(len(v.head)) {
		n = copy(p, v.head[off:])
	}
	i, exact := slices.BinarySearchFunc(v.ranges, uint64(off)+uint64(n), func(r Range, at uint64) int { return cmp.Compare(r.RVA, at) })
	if !exact {
		i = max(0, i-1)
	}
	for ; n < len(p) && i < len(v.ranges); i++ {
		r := v.ranges[i]
		skip := uint64(off) + uint64(n) - r.RVA
		if skip >= r.Size {
			continue // behind the last range
		}
		want := int(min(uint64(len(p)-n), r.Size-skip))
		got := v.memory.Read(r.Base+skip, p[n:n+want])
		n += got
		if got < want {
			return n, io.ErrUnexpectedEOF
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// A Block is memory that a process had and its file lacks.
type Block struct {
	Addr uint64
	Data []byte
}

// With returns the memory with blocks in its gaps. What the file has takes precedence over them.
func (m *Memory) With(blocks []Block) *Memory {
	if m == nil || m.pageTables != nil || len(blocks) == 0 {
		return m
	}
	src, ranges, extra := m.pages.src, m.Ranges(), []byte(nil)
	for _, b := range blocks {
		place := Location{RVA: uint64(src.Size()) + uint64(len(extra)), Size: uint64(len(b.Data))}
		ranges, extra = append(ranges, Range{b.Addr, place}), append(extra, b.Data...)
	}
	both := bin.NewSource(appended{src, extra}, src.Size()+int64(len(extra)))
	out := NewMemory(NewPager(both), m.big, ranges, func(error) {})
	out.removed = m.removed
	return out
}

// An appended is a file with more bytes behind it.
type appended struct {
	bin.Source
	extra []byte
}

// ReadAt implements io.ReaderAt.
func (a appended) ReadAt(p []byte, off int64) (n int, err error) {
	if left := a.Size() - off; left > 0 {
		if n, err = a.Source.ReadAt(p[:min(int64(len(p)), left)], off); n == len(p) || int64(n) < left {
			return n, err
		}
	}
	k, err := bytes.NewReader(a.extra).ReadAt(p[n:], off+int64(n)-a.Size())
	return n + k, err
}
