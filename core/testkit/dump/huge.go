package dump

import (
	"fmt"
	"io"
	"testing"

	"crashglass/core/testkit/asm"
)

// Addresses in a huge dump. The stack's bytes lie at the very end of the file.
const (
	HugeCode  = 0x40_0000        // of the program, /bin/huge
	HugeStack = 0x7fff_0000_0000 // of its only thread
	HugeHeap  = 0x1000_0000_0000 // gigabytes of zeros
	hugeBody  = 1 << 20          // the offset of memory in the file
	hugeDepth = 16               // frames on the stack
)

// Huge writes a full dump of about size bytes. All but some kilobytes are a hole, so w should be a
// file that can be sparse. It is a dump of 64-bit Linux with one thread and a 64-bit memory list.
// The stack, a chain of frame pointers, is at the end of the file.
func Huge(t testing.TB, w io.WriterAt, size int64) {
	t.Helper()
	stack := asm.At(HugeStack)
	for i := range hugeDepth {
		next := uint64(HugeStack + 32*(i+1))
		if i == hugeDepth-1 {
			next = 0
		}
		stack.U64(next, HugeCode+0x100+uint64(i)*16, 0, 0) // saved rbp, return address
	}
	bytes := stack.Build(t)
	heap := uint64(size) - hugeBody - uint64(len(bytes))
	const pieces = 1024 // ranges of the heap, with gaps of the same size
	piece := heap / pieces
	ranges := asm.At(0).U64(pieces+1, hugeBody)
	for i := range uint64(pieces) {
		n := piece
		if i == pieces-1 {
			n = heap - piece*(pieces-1)
		}
		ranges.U64(HugeHeap+2*i*piece, n)
	}
	ranges.U64(HugeStack, uint64(len(bytes)))

	b := New().Flags(2).System(AMD64, Linux, "Linux 6.1.0 #1 SMP x86_64")
	regs := map[string]uint64{"rip": HugeCode + 0x42, "rsp": HugeStack, "rbp": HugeStack}
	b.Thread(Thread{ID: 1, Name: "main", StackBase: HugeStack, Context: b.Context(t, AMD64, regs)})
	b.Module(Module{Base: HugeCode, Size: 0x1000, Name: "/bin/huge", CodeView: BuildID(1, 2, 3)})
	b.Exception(Exception{Thread: 1, Code: 11, Flags: 1, Address: 8, Context: b.Context(t, AMD64, regs)})
	b.Stream(9, ranges)
	for off, data := range map[int64][]byte{0: b.Build(t), size - int64(len(bytes)): bytes} {
		if _, err := w.WriteAt(data, off); err != nil {
			t.Fatal(fmt.Errorf("huge dump: %w", err))
		}
	}
}
