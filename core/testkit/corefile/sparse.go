package corefile

import (
	"testing"

	"crashglass/core/testkit/asm"
)

// SparseSegments mappings of SparseEach bytes are 64 GB.
const (
	SparseSegments = 2000
	SparseEach     = 32 << 20
)

// Sparse is the beginning of a core of 64 GB with 500 threads, and the size of
// it. All memory is zeros.
func Sparse(t testing.TB) (head []byte, size int64) {
	notes := asm.At(0)
	for i := range uint32(500) {
		signal := uint16(0)
		if i == 0 {
			signal = 11
		}
		Note(notes, "CORE", 1, Status(t, i+1, signal, 0x10_0000_0000, uint64(i)<<32+0x1000))
		Note(notes, "CORE", 2, make([]byte, 512))
		Note(notes, "LINUX", 0x202, make([]byte, 2696))
	}
	data := notes.Build(t)
	s := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, SparseSegments+1, 0, 0, 0)
	s.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(data)), 0, 4)
	for i := range uint64(SparseSegments) {
		s.U32(1, 6).U64(2<<20+i*SparseEach, i<<32, 0, SparseEach, SparseEach, 0x1000)
	}
	return s.Mark("notes").Bytes(data).Build(t), 2<<20 + SparseSegments*SparseEach
}
