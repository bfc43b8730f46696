package elfcore

import (
	"io"
	"testing"

	"crashglass/core/bin"
	"crashglass/core/testkit/asm"
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
	const segments, each = 2000, 32 << 20
	notes := asm.At(0)
	for i := range uint32(500) {
		note(notes, "CORE", 1, corefile.Status(t, i+1, 0, 0x10_0000_0000, uint64(i)<<32+0x1000))
		note(notes, "CORE", 2, make([]byte, 512))
		note(notes, "LINUX", 0x202, make([]byte, 2696))
	}
	data := notes.Build(t)
	head := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, segments+1, 0, 0, 0)
	head.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(data)), 0, 4)
	for i := range uint64(segments) {
		head.U32(1, 6).U64(2<<20+i*each, i<<32, 0, each, each, 0x1000)
	}
	file := &sparse{head: head.Mark("notes").Bytes(data).Build(t), size: 2<<20 + segments*each}
	f, err := Open(bin.NewSource(file, file.size))
	if err != nil {
		t.Fatal(err)
	}
	threads, _ := f.Threads()
	memory, _ := f.Memory()
	if _, ok := memory.Word((segments-1)<<32+each-8, 8); !ok || len(threads) != 500 || memory.Total() != segments*each {
		t.Errorf("%d threads, %d bytes of memory, the last of them there: %v", len(threads), memory.Total(), ok)
	}
	if file.read > 4<<20 {
		t.Errorf("%d bytes were read", file.read)
	}
}
