package elfcore

import (
	"io"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/corefile"
)

// A sparse file has some bytes at its start, and holes behind them.
type sparse struct {
	head []byte
	size int64
	read int64 // bytes that were asked for
}

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	n := int(min(int64(len(p)), s.size-off))
	s.read += int64(n)
	clear(p[:n])
	if off < int64(len(s.head)) {
		copy(p[:n], s.head[off:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// A core of 64 GB with 2,000 mappings and 500 threads is opened by its headers
// and notes, and its memory is there.
func TestSparse(t *testing.T) {
	const segments, each = corefile.SparseSegments, corefile.SparseEach
	head, size := corefile.Sparse(t)
	file := &sparse{head: head, size: size}
	f, err := Open(bin.NewSource(file, file.size))
	if err != nil {
		t.Fatal(err)
	}
	threads, memory := f.Threads, f.Memory
	if _, ok := memory.Word((segments-1)<<32+each-8, 8); !ok || len(threads) != 500 || memory.Total() != segments*each {
		t.Errorf("%d threads, %d bytes of memory, the last of them there: %v", len(threads), memory.Total(), ok)
	}
	if file.read > 4<<20 {
		t.Errorf("%d bytes were read", file.read)
	}
}
