package bomb

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"crashglass/core/machine/cpu"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/corefile"
	"crashglass/core/testkit/kerneldump"
)

// A load is a program header of a core: a mapping or a segment of notes.
type load struct {
	kind       uint32
	addr, size uint64
	notes      bool // its bytes are the notes; otherwise the page
}

// aCore is a core of amd64 with notes, and one page that its mappings share. Each program header
// refers to the same bytes of the file.
//
// Source: Elf64_Ehdr and Elf64_Phdr in elf.h.
func aCore(t testing.TB, loads []load, notes, page []byte) []byte {
	s := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, uint16(len(loads)), 0, 0, 0)
	for _, l := range loads {
		name, size := "page", len(page)
		if l.notes {
			name, size = "notes", len(notes)
		}
		s.U32(l.kind, 5).Ref(name).U64(l.addr, 0, uint64(size), l.size, 4096)
	}
	return s.Mark("notes").Bytes(notes).Mark("page").Bytes(page).Build(t)
}

// inFutex returns the NT_PRSTATUS of a thread in the system call futex. The lock is on the stack that all
// threads share. Offsets are those of glibc's user_regs_struct.
func inFutex(t testing.TB, thread uint32) []byte {
	status := corefile.Status(t, thread, 11, 0x40_0000, 0x7fff_0000)
	registers := status[112:]
	binary.LittleEndian.PutUint64(registers[15*8:], 202)         // orig_rax
	binary.LittleEndian.PutUint64(registers[14*8:], 0x7fff_0000) // rdi
	return status
}

// cores have parts that share bytes: modules share a page, and segments their notes.
func cores(t testing.TB) []Bomb {
	const modules, segments = 20000, 70
	crashed := asm.At(0)
	corefile.Note(crashed, "CORE", 1, corefile.Status(t, 1, 11, 0x40_0000, 0x7fff_0000))
	one := crashed.Build(t)

	// A library with 70 segments of notes, all of which refer to the same 4,000 notes.
	page := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(3, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, segments, 0, 0, 0)
	for range segments {
		page.U32(4, 5).U64(0, 0, 0, 1<<16, 1<<16, 4)
	}
	library := repeat(page, 4000, func(s *asm.Section, _ int) { s.U32(4, 0, 3).Text("GNU\x00") }).Build(t)
	// NT_FILE names 20,000 libraries. The first page of each is that library.
	files, names := asm.At(0).U64(modules, 4096), strings.Builder{}
	mapped := []load{{kind: 4, notes: true}}
	for i := range uint64(modules) {
		at := 0x40_0000 + i<<16
		files.U64(at, at+1<<16, 0)
		fmt.Fprintf(&names, "/lib/lib%d.so\x00", i)
		mapped = append(mapped, load{kind: 1, addr: at, size: 1 << 16})
	}
	withFiles := asm.At(0).Bytes(one)
	corefile.Note(withFiles, "CORE", 0x4649_4c45, files.Text(names.String()).Build(t))

	// 2,000 segments of notes, each of which has the same 2,000 threads.
	threads, again := asm.At(0), []load{}
	for i := range uint32(2000) {
		corefile.Note(threads, "CORE", 1, corefile.Status(t, i+1, 11, 0x40_0000, 0x7fff_0000))
		again = append(again, load{kind: 4, notes: true})
	}
	// 10,000 threads that wait for one lock.
	waiting := asm.At(0)
	for i := range uint32(10000) {
		corefile.Note(waiting, "CORE", 1, inFutex(t, i+1))
	}
	return []Bomb{
		{Name: "core-threads-waiting", Dump: aCore(t, []load{{kind: 4, notes: true}, {kind: 1, addr: 0x7fff_0000, size: 8000}}, waiting.Build(t), bytes.Repeat([]byte{0x20, 2, 0x40, 0, 0, 0, 0, 0}, 1000))},
		{Name: "core-modules-of-one-page", Dump: aCore(t, mapped, withFiles.Build(t), library)},
		{Name: "core-notes-shared", Dump: aCore(t, again, threads.Build(t), nil)},
	}
}

// kernels are dumps of the kernel whose drivers share one long name, and whose blocks of memory share one page.
func kernels(t testing.TB) []Bomb {
	const drivers, blocks = 4000, 60000
	l := &cpu.ContextAMD64
	stack := kerneldump.Range{Base: kerneldump.High(l.Arch, 0x5000), Data: make([]byte, 4096)}
	d := kerneldump.Dump{Layout: l, Type: 4, Code: 0x9f, Regs: kerneldump.At(l.Arch, kerneldump.High(l.Arch, 0x1_0000), stack.Base)}
	d.Body = kerneldump.Triage(t, l.Arch, []kerneldump.Driver{{Name: strings.Repeat("n", 1000), Base: kerneldump.High(l.Arch, 0x1_0000), Size: 0x1000}}, nil, stack, stack)
	file := d.Build()
	le := binary.LittleEndian
	at := func(field int) uint32 { return le.Uint32(file[0x2000+field:]) }
	list, block := at(0x30), at(0x78)
	entry, record := file[list:list+0x90], file[block:block+16]
	le.PutUint32(file[0x2030:], uint32(len(file)))
	le.PutUint32(file[0x2034:], drivers)
	for i := range drivers {
		next := append([]byte(nil), entry...)
		le.PutUint64(next[0x38:], kerneldump.High(l.Arch, uint64(0x1_0000+i*0x1000)))
		file = append(file, next...)
	}
	le.PutUint32(file[0x2078:], uint32(len(file)))
	le.PutUint32(file[0x207c:], blocks)
	for i := range blocks {
		next := append([]byte(nil), record...)
		le.PutUint64(next, stack.Base+uint64(i))
		file = append(file, next...)
	}
	return []Bomb{{Name: "kernel: drivers with one name, blocks with one page", Dump: file}}
}
