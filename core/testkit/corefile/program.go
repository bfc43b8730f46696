package corefile

import (
	"testing"

	"crashglass/core/testkit/asm"
)

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
