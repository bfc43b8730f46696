package v8

import (
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"crashglass/core/runtimes"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/corefile"
)

var keepNode = flag.String("node", "", "keep a core of Node, and its program, in this folder")

// Where the parts of the program are: one page each of the head, of code and of data, which has the constants.
const (
	programAt = 0x40_0000
	codeAt    = programAt + 0x1000
	dataAt    = programAt + 0x2000
	abortAt   = codeAt + 0x100
	entryAt   = codeAt + 0x200
	called1   = 0x10 // the return address in each function
)

// TestNodeForThePage writes the files of the page's test.
func TestNodeForThePage(t *testing.T) {
	if *keepNode == "" {
		t.Skip("-node is not given")
	}
	inner, worker := uint64(0), uint64(0)
	s := called(3, "(order, count) {", func(s *scene) []uint64 {
		inner = s.room(64) + 32
		order := s.objectWith(typePlain, s.class("Order"), map[string]uint64{"id": small(7), "name": s.text("pears")}, "id", "name")
		return []uint64{s.objectWith(typePlain, s.class("Store"), nil), order, small(3)}
	})
	outer := s.stack.Frames[0].Pointer
	worker = s.room(64) + 32
	f, _ := s.function("work", s.wordAt(s.wordAt(s.wordAt(outer+s.at[frameFunction])-1+s.at[functionShared])-1+s.at[sharedScript]))
	of := s.frame(runtimes.Native{}, f)
	s.word(of+s.at[frameFunction]-8, receiver)
	for frame, caller := range map[uint64]uint64{inner: outer, worker: of} {
		s.word(frame, caller)
		s.word(frame+8, codeAt+called1)
		s.word(caller, 0)
		s.word(caller+8, entryAt+called1)
	}
	for name, data := range map[string][]byte{"node": s.program(t), "node.core": s.core(t, inner, worker)} {
		if err := os.WriteFile(filepath.Join(*keepNode, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *scene) wordAt(addr uint64) uint64 { return binary.LittleEndian.Uint64(s.heap[addr-heapAt:]) }

// segments are the program headers of the program, behind its head: what is loaded, and the build ID.
func segments(s *asm.Section) *asm.Section {
	s.Text("\x7fELF\x02\x01\x01").Zeros(9).U16(2, 62).U32(1).U64(codeAt, 64).Ref("sections").U32(0).U16(64, 56, 4, 64, 6, 5)
	s.U32(1, 4).U64(0, programAt, programAt, 0x1000, 0x1000, 0x1000)
	s.U32(1, 5).U64(0x1000, codeAt, codeAt, 0x1000, 0x1000, 0x1000)
	s.U32(1, 6).U64(0x2000, dataAt, dataAt, 0x1000, 0x1000, 0x1000)
	s.U32(4, 4).Ref("id").Ref("id").U64(0, 20, 20, 4)
	return s.Mark("id").U32(4, 4, 3).Text("GNU\x00V8ID")
}

// functions are three functions, with a frame each and a call before its return address.
func functions(s *asm.Section) {
	for range 3 {
		s.Text("\x55\x48\x89\xe5").Zeros(7).Text("\xe8\xf0\x00\x00\x00").Zeros(0x100 - called1)
	}
}

// program is the file of the program: its symbols lead to the constants.
func (s *scene) program(t *testing.T) []byte {
	names, table := []byte{0}, asm.At(0).Zeros(24)
	symbol := func(name string, kind uint8, section uint16, addr, size uint64) {
		table.U32(uint32(len(names))).U8(0x10|kind, 0).U16(section).U64(addr, size)
		names = append(append(names, name...), 0)
	}
	symbol(trampoline, 2, 1, codeAt, 0x100)
	symbol("_ZN4node5AbortEv", 2, 1, abortAt, 0x100)
	symbol(builtin+"JSEntry", 2, 1, entryAt, 0x100)
	for i, c := range s.constants {
		symbol(c.name, 1, 2, dataAt+4*uint64(i), 4)
	}
	symbols := table.Build(t)
	f := segments(asm.At(0))
	f.Zeros(0x1000 - int(f.Here())).Mark("code")
	functions(f)
	f.Zeros(0x2000 - int(f.Here())).Mark("data")
	s.data(f)
	f.Mark("symbols").Bytes(symbols).Mark("names").Bytes(names).Mark("titles").Text("\x00.text\x00.data\x00.symtab\x00.strtab\x00.shstrtab\x00").Align(8)
	section := func(name, kind uint32, flags, addr uint64, mark string, size uint64, link uint32, entry uint64) {
		f.U32(name, kind).U64(flags, addr).Ref(mark).U64(size).U32(link, 0).U64(8, entry)
	}
	f.Mark("sections").Zeros(64)
	section(1, 1, 6, codeAt, "code", 0x1000, 0, 0)
	section(7, 1, 3, dataAt, "data", 0x1000, 0, 0)
	section(13, 2, 0, 0, "symbols", uint64(len(symbols)), 4, 24)
	section(21, 3, 0, 0, "names", uint64(len(names)), 0, 0)
	section(29, 3, 0, 0, "titles", 40, 0, 0)
	return f.Build(t)
}

// data is the page of data.
func (s *scene) data(f *asm.Section) {
	for _, c := range s.constants {
		f.U32(uint32(c.value))
	}
	f.Zeros(0x1000 - 4*len(s.constants))
}

// core is a core of the process, which abort ended, with the frames of the innermost functions of its threads.
func (s *scene) core(t *testing.T, frames ...uint64) []byte {
	notes := asm.At(0)
	for i, frame := range frames {
		status := corefile.Status(t, uint32(0x1234+i), 6, abortAt+called1, frame-16)
		copy(status[112+4*8:], asm.At(0).U64(frame).Build(t)) // rbp
		corefile.Note(notes, "CORE", 1, status)
	}
	corefile.Note(notes, "CORE", 0x4649_4c45, asm.At(0).U64(3, 0x1000,
		programAt, codeAt, 0, codeAt, dataAt, 1, dataAt, dataAt+0x1000, 2).Text("/opt/node\x00/opt/node\x00/opt/node\x00").Build(t))
	about := notes.Build(t)
	f := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 5, 0, 0, 0)
	f.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(about)), 0, 4)
	f.U32(1, 4).Ref("head").U64(programAt, 0, 0x1000, 0x1000, 0x1000)
	f.U32(1, 5).Ref("head").U64(codeAt, 0, 0, 0x1000, 0x1000) // left out
	f.U32(1, 6).Ref("data").U64(dataAt, 0, 0x1000, 0x1000, 0x1000)
	f.U32(1, 6).Ref("heap").U64(heapAt, 0, uint64(len(s.heap)), uint64(len(s.heap)), 0x1000)
	head := segments(asm.At(0)).Mark("sections").Build(t)
	f.Mark("notes").Bytes(about).Mark("head").Bytes(head).Zeros(0x1000 - len(head)).Mark("data")
	s.data(f)
	return f.Mark("heap").Bytes(s.heap).Build(t)
}
