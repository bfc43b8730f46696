package elfcore

import (
	"encoding/binary"
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// A sketch is a core with notes and mappings, of any CPU.
type sketch struct {
	machine  uint16
	word     int
	big      bool
	sections uint16 // section headers, which gdb writes
	notes    func(n *asm.Section)
	mappings []mapped
}

// section is a piece of the core in its byte order.
func (k *sketch) section(at uint64) *asm.Section {
	if s := asm.At(at); !k.big {
		return s
	}
	return asm.At(at).BigEndian()
}

// build writes Elf32_Ehdr or Elf64_Ehdr and its program headers. Source: System V
// ABI, "ELF Header" and "Program Header".
func (k *sketch) build(t testing.TB) []byte {
	notes := k.section(0)
	if k.notes != nil {
		k.notes(notes)
	}
	data := notes.Build(t)
	class, order := uint8(k.word/4), uint8(1)
	if k.big {
		order = 2
	}
	head, entry := uint16(40+3*k.word), uint16(32)
	if k.word == 8 {
		entry = 56
	}
	f := k.section(0).Text("\x7fELF").U8(class, order, 1).Zeros(9).U16(4, k.machine).U32(1)
	f.Word(k.word, 0, uint64(head), 0).U32(0).U16(head, entry, uint16(1+len(k.mappings)), 64, k.sections, 0)
	k.program(f, 4, 0, "notes", 0, uint64(len(data)), 0)
	for i, m := range k.mappings {
		k.program(f, 1, m.flags, fmt.Sprint(i), m.data.Base(), uint64(len(m.data.Build(t))), m.size)
	}
	f.Mark("notes").Bytes(data)
	for i, m := range k.mappings {
		f.Mark(fmt.Sprint(i)).Bytes(m.data.Build(t))
	}
	return f.Build(t)
}

func (k *sketch) program(f *asm.Section, kind, flags uint32, label string, addr, have, size uint64) {
	if k.word == 8 {
		f.U32(kind, flags).Ref(label).U64(addr, 0, have, size, 0x1000)
		return
	}
	f.U32(kind).Ref32(label).U32(uint32(addr), 0, uint32(have), uint32(size), flags, 0x1000)
}

// status is struct elf_prstatus with registers that are numbered from 0x1000 on,
// but for those that are given by their words.
func (k *sketch) status(t testing.TB, id uint32, signal uint16, words int, given map[int]uint64) []byte {
	s := k.section(0).U32(uint32(signal), 0, 0).U16(signal, 0).Zeros(2*k.word).U32(id, 1, 2, 3).Zeros(8 * k.word)
	for i := range words {
		v, ok := given[i]
		if !ok {
			v = 0x1000 + uint64(i)
		}
		s.Word(k.word, v)
	}
	return s.U32(1).Align(k.word).Build(t)
}

func (k *sketch) order() binary.ByteOrder {
	if k.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// openedNotes are the notes of a core about itself.
func openedNotes(t *testing.T, data []byte) (out []string) {
	t.Helper()
	for _, n := range defects(open(t, data).Process) {
		out = append(out, n.Error())
	}
	return out
}
