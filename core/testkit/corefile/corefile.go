// Package corefile builds small ELF cores for tests, and the files of their modules. The numbers
// are written from the specifications and shared with no reader. It makes intact files; tests
// damage them.
package corefile

import (
	"testing"

	"crashglass/core/testkit/asm"
)

// AMD64 is a core of amd64: one crashed thread and another, a program and a library with its build
// ID, arguments, and a stack. The numbers come from the specifications, not from the reader.
func AMD64(t testing.TB) []byte { return amd64(t, 0) }

// HeapAt is the place of Large's heap, in the file and in memory.
const (
	HeapAt   = 1 << 20
	HeapAddr = 0x10_0000_0000
)

// Large is the beginning of AMD64 with a heap, whose bytes are in the file from HeapAt on.
func Large(t testing.TB, heap uint64) (head []byte, size int64) {
	return amd64(t, heap), HeapAt + int64(heap)
}

func amd64(t testing.TB, heap uint64) []byte {
	segments := uint16(5)
	if heap > 0 {
		segments = 6
	}
	notes := asm.At(0)
	Note(notes, "CORE", 1, Status(t, 0x1234, 11, 0x40_1010, 0x7fff_e100))
	Note(notes, "CORE", 3, asm.At(0).Zeros(24).U32(0x1234, 1, 2, 3).
		Text("demo\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00").Text("demo --fast").Zeros(69).Build(t))
	Note(notes, "CORE", 0x5349_4749, asm.At(0).U32(11, 0, 1, 0).U64(0x18).Zeros(104).Build(t))
	Note(notes, "CORE", 6, auxiliary().Build(t))
	Note(notes, "CORE", 0x4649_4c45, asm.At(0).U64(3, 0x1000,
		0x40_0000, 0x40_1000, 0,
		0x40_1000, 0x40_2000, 1,
		0x50_0000, 0x50_1000, 0).Text("/opt/demo\x00/opt/demo\x00/lib/lib.so (deleted)\x00").Build(t))
	Note(notes, "CORE", 1, Status(t, 0x1235, 0, 0x50_0040, 0x7fff_e180))

	program, library, stack := moduleHead(t, 2, "\x01\x02\x03\x04"), moduleHead(t, 3, "\xaa\xbb"), stackOf(t)
	f := asm.At(0).
		Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, segments, 0, 0, 0)
	f.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(notes.Build(t))), 0, 4)
	f.U32(1, 4).Ref("program").U64(0x40_0000, 0, 0x1000, 0x1000, 0x1000)
	f.U32(1, 5).Ref("program").U64(0x40_1000, 0, 0, 0x1000, 0x1000) // left out
	f.U32(1, 5).Ref("library").U64(0x50_0000, 0, 0x200, 0x1000, 0x1000)
	f.U32(1, 6).Ref("stack").U64(0x7fff_e000, 0, 0x1000, 0x1000, 0x1000)
	if heap > 0 {
		f.U32(1, 6).U64(HeapAt, HeapAddr, 0, heap, heap, 0x1000)
	}
	f.Mark("notes").Bytes(notes.Build(t)).
		Mark("program").Bytes(program).Zeros(0x1000 - len(program)).
		Mark("library").Bytes(library).Zeros(0x200 - len(library)).
		Mark("stack").Bytes(stack)
	return f.Build(t)
}

// Note appends an Elf64_Nhdr with name and contents.
func Note(s *asm.Section, name string, kind uint32, data []byte) {
	s.U32(uint32(len(name)+1), uint32(len(data)), kind).Text(name).U8(0).Align(4).Bytes(data).Align(4)
}

// Status is struct elf_prstatus of amd64: pr_reg from 112 on, rip its word 16,
// rsp its word 19.
func Status(t testing.TB, id uint32, signal uint16, pc, sp uint64) []byte {
	s := asm.At(0).U32(uint32(signal), 0, 0).U16(signal, 0).U64(0, 0).U32(id, 1, 2, 3).Zeros(64)
	for i := range uint64(16) {
		s.U64(0x100 + i)
	}
	return s.U64(pc, 0x33, 0x202, sp, 0x2b).Zeros(6*8).U32(1, 0).Build(t)
}

// auxiliary is the auxiliary vector, for the note and for the stack.
func auxiliary() *asm.Section {
	return asm.At(0).U64(3, 0x40_0040, 6, 0x1000, 31, 0x7fff_efe8)
}

// moduleHead is the first page of a module with two segments and a build ID.
func moduleHead(t testing.TB, kind uint16, id string) []byte {
	s := asm.At(0).
		Text("\x7fELF\x02\x01\x01").Zeros(9).U16(kind, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 2, 0, 0, 0).
		U32(1, 5).U64(0, 0, 0, 0x2000, 0x2000, 0x1000)
	s.U32(4, 4).Ref("id").Ref("id").U64(0, uint64(16+len(id)), uint64(16+len(id)), 4)
	s.Mark("id").U32(4, uint32(len(id)), 3).Text("GNU\x00").Text(id)
	return s.Build(t)
}

// stackOf is the page of the stack, with the kernel's data at its end.
func stackOf(t testing.TB) []byte {
	s := asm.At(0x7fff_e000).Zeros(0x100).U64(0x40_1020).Zeros(0xd00 - 0x108)
	s.U64(2).Ref("arg0").Ref("arg1").U64(0).Ref("env0").U64(0)
	s.Bytes(auxiliary().Build(t)).U64(0, 0)
	s.Mark("arg0").Text("demo\x00").Mark("arg1").Text("--fast\x00").Mark("env0").Text("TOKEN=secret\x00")
	return s.Zeros(int(0x7fff_efe8 - s.Here())).Text("/opt/demo\x00").Zeros(14).Build(t)
}

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

// Program and Library are the files of AMD64's modules, with their build IDs and
// symbols: crash and main, and wait.
func Program(t testing.TB) []byte {
	return linked(t, 2, "\x01\x02\x03\x04", function{"crash", 0x1000, 0x18}, function{"main", 0x1018, 0x40})
}

// Library is Program for the library.
func Library(t testing.TB) []byte { return linked(t, 3, "\xaa\xbb", function{"wait", 0x40, 0x20}) }

type function struct {
	name     string
	at, size uint64
}

// linked is a module as the linker writes it: the page of moduleHead, with
// section headers in its header, code, and a table of symbols.
func linked(t testing.TB, kind uint16, id string, functions ...function) []byte {
	names, symbols := asm.At(0).U8(0), asm.At(0).Zeros(24)
	for _, f := range functions {
		symbols.U32(uint32(names.Here())).U8(0x12, 0).U16(1).U64(f.at, f.size) // a global function of section 1
		names.Text(f.name + "\x00")
	}
	head := moduleHead(t, kind, id)
	s := asm.At(0).Bytes(head[:40]).Ref("sections").U32(0).U16(64, 56, 2, 64, 5, 4).Bytes(head[64:]).Zeros(0x2000 - len(head))
	s.Mark("symtab").Bytes(symbols.Build(t)).Mark("strtab").Bytes(names.Build(t))
	s.Mark("shstrtab").Text("\x00.text\x00.symtab\x00.strtab\x00.shstrtab\x00").Align(8).Mark("sections").Zeros(64)
	s.U32(1, 1).U64(6, 0, 0, 0x2000).U32(0, 0).U64(16, 0)
	s.U32(7, 2).U64(0, 0).Ref("symtab").U64(uint64(24*(len(functions)+1))).U32(3, 1).U64(8, 24)
	s.U32(15, 3).U64(0, 0).Ref("strtab").U64(names.Here()).U32(0, 0).U64(1, 0)
	s.U32(23, 3).U64(0, 0).Ref("shstrtab").U64(33).U32(0, 0).U64(1, 0)
	return s.Build(t)
}
