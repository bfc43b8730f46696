package write

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"crashglass/core/process"
)

// A view is a minidump with its streams in memory. The captured memory behind them is in another file.
type view struct {
	memory *process.Memory
	head   []byte
	ranges []process.Range // sorted by offset, without gaps
}

var errNegative = errors.New("negative offset")

// ReadAt implements io.ReaderAt.
func (v *view) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errNegative
	}
	if off < int64(len(v.head)) {
		n = copy(p, v.head[off:])
	}
	i, exact := slices.BinarySearchFunc(v.ranges, uint64(off)+uint64(n), func(r process.Range, at uint64) int { return cmp.Compare(r.RVA, at) })
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
