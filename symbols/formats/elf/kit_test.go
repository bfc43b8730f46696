package elf

import (
	"bytes"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// A made section is one of a file that a test builds.
type made struct {
	name  string
	kind  uint32
	flags uint64
	addr  uint64
	link  uint32
	data  []byte
}

// A recipe is a file to build.
type recipe struct {
	machine  uint16
	bits32   bool
	big      bool
	kind     uint16 // 3, a shared object, when 0
	sections []made // from number 1 on; the last one has their names
	segments func(s *asm.Section, off map[string]uint64) (count int)
}

// build lays the file out: header, bytes of sections, program headers, section
// headers.
func (r recipe) build(t testing.TB) []byte {
	s := asm.At(0)
	if r.big {
		s.BigEndian()
	}
	class, data, word := uint8(2), uint8(1), 8
	if r.bits32 {
		class, word = 1, 4
	}
	if r.big {
		data = 2
	}
	kind := r.kind
	if kind == 0 {
		kind = 3
	}
	names := []byte{0}
	sections := append([]made{{}}, r.sections...)
	sections = append(sections, made{name: ".shstrtab", kind: 3})
	var nameAt []uint32
	for _, m := range sections {
		nameAt = append(nameAt, uint32(len(names)))
		names = append(append(names, m.name...), 0)
	}
	sections[len(sections)-1].data = names

	body := asm.At(0)
	if r.big {
		body.BigEndian()
	}
	headerSize := header64
	if r.bits32 {
		headerSize = header32
	}
	off := map[string]uint64{}
	offs := make([]uint64, len(sections))
	for i, m := range sections {
		body.Align(8)
		offs[i] = uint64(headerSize) + body.Here()
		off[m.name] = offs[i]
		if m.kind != secNothing {
			body.Bytes(m.data)
		}
	}
	body.Align(8)
	segs := asm.At(0)
	if r.big {
		segs.BigEndian()
	}
	count := 0
	if r.segments != nil {
		count = r.segments(segs, off)
	}
	segsAt := uint64(headerSize) + body.Here()
	sectsAt := segsAt + segs.Here()

	s.Text("\x7fELF").U8(class, data, 1).Zeros(9).U16(kind, r.machine).U32(1).Word(word, 0, segsAt, sectsAt).U32(0).U16(uint16(headerSize))
	if r.bits32 {
		s.U16(segment32, uint16(count), section32)
	} else {
		s.U16(segment64, uint16(count), section64)
	}
	s.U16(uint16(len(sections)), uint16(len(sections)-1))
	s.Append(body).Append(segs)
	for i, m := range sections {
		if i == 0 {
			offs[i], nameAt[i] = 0, 0
		}
		s.U32(nameAt[i], m.kind).Word(word, m.flags, m.addr, offs[i], uint64(len(m.data))).U32(m.link, 0).Word(word, 1, 0)
	}
	return s.Build(t)
}

// load is a program header for 64 bits that loads all of the file up to size.
func load(s *asm.Section, flags uint32, off, addr, size uint64) {
	s.U32(segLoad, flags).U64(off, addr, addr, size, size, 0x1000)
}

func (r recipe) open(t testing.TB) *File {
	t.Helper()
	return openBytes(t, r.build(t))
}

func openBytes(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{Name: "made"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A madeSymbol is an entry of a table of symbols.
type madeSymbol struct {
	name    string
	kind    uint8
	section uint16
	addr    uint64
	size    uint64
}

// symbols makes a table and its strings.
func (r recipe) symbols(t testing.TB, list ...madeSymbol) (table, names []byte) {
	s := asm.At(0)
	if r.big {
		s.BigEndian()
	}
	names = []byte{0}
	for _, m := range append([]madeSymbol{{}}, list...) {
		at := uint32(len(names))
		if m.name == "" {
			at = 0
		} else {
			names = append(append(names, m.name...), 0)
		}
		if r.bits32 {
			s.U32(at, uint32(m.addr), uint32(m.size)).U8(0x10|m.kind, 0).U16(m.section)
		} else {
			s.U32(at).U8(0x10|m.kind, 0).U16(m.section).U64(m.addr, m.size)
		}
	}
	return s.Build(t), names
}

// note is a note with a build id.
func note(t testing.TB, id string) []byte {
	return asm.At(0).U32(4, uint32(len(id)), noteBuildID).Text("GNU\x00" + id).Align(4).Build(t)
}

// program is a library with two functions, a build id and a name.
func program(t testing.TB) recipe {
	r := recipe{machine: 62}
	table, names := r.symbols(t, madeSymbol{"main", symbolFunction, 1, 0x1010, 0x20}, madeSymbol{"helper", symbolFunction, 1, 0x1040, 0})
	r.sections = []made{
		{".text", 1, secExecutable | 2, 0x1000, 0, bytes.Repeat([]byte{0x90}, 0x80)},
		{".symtab", secSymbols, 0, 0, 3, table},
		{".strtab", 3, 0, 0, 0, names},
		{".note.gnu.build-id", secNote, 2, 0x200, 0, note(t, "0123456789abcdefghij")},
	}
	r.segments = func(s *asm.Section, off map[string]uint64) int {
		load(s, 5, off[".text"], 0x1000, 0x80)
		load(s, 6, off[".strtab"], 0x3000, 0x10)
		return 2
	}
	return r
}
