package bomb

import (
	"testing"

	"crashglass/core/testkit/asm"
)

// An elfSection is a section of an ELF file. Its fields are those of Elf64_Shdr in elf.h.
type elfSection struct {
	name  string
	kind  uint32 // sh_type
	flags uint64 // sh_flags: 2 is SHF_ALLOC, 4 is SHF_EXECINSTR
	addr  uint64 // 0 for a section that is not loaded
	link  uint32 // the index of the string table of a symbol table
	data  []byte
}

// Values of sh_type.
const (
	progbits = 1
	symtab   = 2
	strtab   = 3
	note     = 7
)

// elf is a shared object of amd64 with some bytes of code at 0x100, the program's build ID, and parts.
// The first of parts is section 3.
func elf(t testing.TB, code int, parts ...elfSection) []byte {
	const header, sectionHeader, programHeader = 64, 64, 56
	id := asm.At(0).U32(4, uint32(len(buildID)), 3).Text("GNU\x00").Bytes(buildID).Build(t)
	parts = append([]elfSection{{}, {name: ".text", kind: progbits, flags: 6, addr: 0x100, data: make([]byte, code)}, {name: ".note.gnu.build-id", kind: note, flags: 2, addr: 0x30000, data: id}}, parts...)
	names := []byte{0}
	var nameAt []uint32
	for _, p := range append(parts, elfSection{name: ".shstrtab"}) {
		nameAt = append(nameAt, uint32(len(names)))
		names = append(append(names, p.name...), 0)
	}
	parts = append(parts, elfSection{name: ".shstrtab", kind: strtab, data: names})
	body := asm.At(header + programHeader)
	var at []uint64
	for _, p := range parts {
		at = append(at, body.Align(8).Here())
		body.Bytes(p.data)
	}
	body.Align(8)
	s := asm.At(0).Text("\x7fELF").U8(2, 1, 1).Zeros(9).U16(3, 62).U32(1).U64(0, header, body.Here()).U32(0)
	s.U16(header, programHeader, 1, sectionHeader, uint16(len(parts)), uint16(len(parts)-1))
	s.U32(1, 5).U64(0, 0, 0, body.Here(), body.Here(), 0x1000).Append(body)
	for i, p := range parts {
		s.U32(nameAt[i], p.kind).U64(p.flags, p.addr, at[i], uint64(len(p.data))).U32(p.link, 0).U64(1, 0)
	}
	return s.Build(t)
}
