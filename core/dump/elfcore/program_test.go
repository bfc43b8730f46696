package elfcore

import (
	"testing"

	"crashglass/core/testkit/asm"
)

// The places of a program whose program headers are not in its first page, as llvm-bolt writes it.
const (
	tableOffset = 0x20_0000 // in the file
	tableAt     = programAt + tableOffset
)

var movedID = []byte{1, 2, 3, 4, 5, 6, 7, 8}

// elfHead is an ELF header with the offset and number of its program headers.
func elfHead(at, table uint64, count uint16) *asm.Section {
	return asm.At(at).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(3, 62).U32(1).U64(0, table, 0).U32(0).U16(64, 56, count, 0, 0, 0)
}

// identified adds the note of a build ID at an offset of the first page.
func identified(s *asm.Section) *asm.Section {
	return s.U32(4, uint32(len(movedID)), noteBuildID).Text("GNU\x00").Bytes(movedID)
}

// movedTable are such program headers: the code is at a distance from its offset that is not the table's.
func movedTable(at, low, dynamic uint64) *asm.Section {
	s := asm.At(at)
	s.U32(typeTable, 4).U64(tableOffset, low+tableOffset, 0, 0x118, 0x118, 8)
	s.U32(typeLoad, 4).U64(0, low, 0, 0x1000, 0x1000, 0x1000)
	s.U32(typeLoad, 5).U64(tableOffset, low+tableOffset, 0, 0x5000, 0x5000, 0x1000)
	s.U32(typeNote, 4).U64(0x40, low+0x40, 0, 24, 24, 4)
	return s.U32(typeDynamic, 6).U64(0x3000, dynamic, 0, 0x100, 0x100, 8)
}

// A program is found by AT_PHDR wherever its program headers are, whether or not they were captured,
// and its list of libraries with it.
func TestProgramHeadersElsewhere(t *testing.T) {
	head := func() *asm.Section { return identified(elfHead(programAt, tableOffset, 5)) }
	auxv := []uint64{auxPrograms, tableAt, auxEntries, 5, auxEntry, tableAt + 0x1000}
	library, list := mapped{asm.At(0x5000_0000), 0x3000, 5}, linked([3]string{"0", "", "4206592"}, [3]string{"1342177280", "/lib/one.so", "1342177280"})
	tests := []struct {
		name  string
		low   uint64 // of the addresses in the file: 0 if the program can be anywhere
		head  *asm.Section
		table *asm.Section
		want  string
	}{
		{"captured", programAt, head(), movedTable(tableAt, programAt, dynamicAt), "demo at 0x400000, 0x205000"},
		{"of a program that can be anywhere", 0, head(), movedTable(tableAt, 0, dynamicAt-programAt), "demo at 0x400000, 0x205000"},
		{"not captured", 0, head(), asm.At(tableAt), "demo at 0x400000, 0x205000"},
	}
	for _, tt := range tests {
		core := coreOf(t, auxv, mapped{tt.head, 0x1000, 4}, mapped{dynamic(), 0x1000, 6}, mapped{tt.table, 0x5000, 5}, library, mapped{list, 0x1000, 6})
		wantModules(t, tt.name, core, tt.want, "/lib/one.so at 0x50000000, 0x3000")
		modules, _ := open(t, core).Modules()
		if got := modules[0].CodeID; got != "0102030405060708" {
			t.Errorf("%s: the build ID is %s", tt.name, got)
		}
	}
}

// A library whose program headers are in another mapping of its file is found by NT_FILE, and so is
// one whose program headers were not captured.
func TestLibraryWithMovedHeaders(t *testing.T) {
	const base, code = 0x5000_0000, 0x5030_0000 // the code is further away than in the file
	table := asm.At(code)
	table.U32(typeLoad, 4).U64(0, 0, 0, 0x1000, 0x1000, 0x1000)
	table.U32(typeLoad, 5).U64(tableOffset, code-base, 0, 0x5000, 0x6000, 0x1000)
	for name, tt := range map[string]struct {
		table *asm.Section
		want  string
	}{
		"captured":     {table, "/lib/moved.so at 0x50000000, 0x306000"},
		"not captured": {asm.At(code), "/lib/moved.so at 0x50000000, 0x305000"},
	} {
		k := sketch{machine: 62, word: 8, notes: func(n *asm.Section) {
			files := asm.At(0).U64(2, 0x1000, base, base+0x1000, 0, code, code+0x5000, tableOffset/0x1000)
			note(n, "CORE", 0x4649_4c45, files.Text("/lib/moved.so\x00/lib/moved.so\x00").Build(t))
		}, mappings: []mapped{{elfHead(base, tableOffset, 2), 0x1000, 4}, {tt.table, 0x5000, 5}}}
		wantModules(t, name, k.build(t), tt.want)
	}
}

// gdb leaves mappings of files without changes out of its cores, and so the code and moved program
// headers of a library. The list of the dynamic linker has it, and its ELF header its build ID.
func TestLinkedLibraryWithMovedHeaders(t *testing.T) {
	const base = 0x5000_0000
	program := elfHead(programAt, 64, 2)
	program.U32(typeLoad, 5).U64(0, 0, 0, 0x4000, 0x4000, 0x1000)
	program.U32(typeDynamic, 6).U64(0x3000, dynamicAt-programAt, 0, 0x100, 0x100, 8)
	list := linked([3]string{"4194304", "", "4206592"}, [3]string{"1342177280", "/lib/moved.so", "1342189568"})
	k := sketch{machine: 62, word: 8, notes: func(n *asm.Section) {
		note(n, "CORE", 6, asm.At(0).U64(auxPrograms, programAt+64, auxEntries, 2, 0, 0).Build(t))
		files := asm.At(0).U64(3, 0x1000, base, base+0x1000, 0, base+0x1000, base+0x3000, 1, base+0x3000, base+0x4000, 3)
		note(n, "CORE", 0x4649_4c45, files.Text("/lib/moved.so\x00/lib/moved.so\x00/lib/moved.so\x00").Build(t))
	}, mappings: []mapped{{program, 0x1000, 5}, {dynamic(), 0x1000, 6}, {identified(elfHead(base, tableOffset, 5)), 0x1000, 4}, {asm.At(base + 0x3000), 0x1000, 6}, {list, 0x1000, 6}}}
	core := k.build(t)
	wantModules(t, "by the list", core, " at 0x400000, 0x4000", "/lib/moved.so at 0x50000000, 0x4000")
	if modules, _ := open(t, core).Modules(); len(modules) != 2 || modules[1].CodeID != "0102030405060708" {
		t.Errorf("modules: %+v", modules)
	}
}

// "ld.so ./prog": the kernel knows only the dynamic linker. Its list begins with the program.
func TestProgramOfTheLinker(t *testing.T) {
	const linkerAt, linkerDynamic = 0x6000_0000, 0x6000_2000
	linker := elfHead(linkerAt, 64, 2)
	linker.U32(typeLoad, 5).U64(0, 0, 0, 0x3000, 0x3000, 0x1000)
	linker.U32(typeDynamic, 6).U64(0x2000, 0x2000, 0, 0x100, 0x100, 8)
	program := elfHead(programAt, 64, 3)
	program.U32(typeLoad, 5).U64(0, 0, 0, 0x4000, 0x4000, 0x1000)
	program.U32(typeInterpreter, 4).U64(0x200, 0x200, 0, 8, 8, 1)
	program.U32(typeDynamic, 6).U64(0x3000, dynamicAt-programAt, 0, 0x100, 0x100, 8)
	list := linked([3]string{"4194304", "", "4206592"}, [3]string{"1342177280", "/lib/one.so", "1342177280"}, [3]string{"1610612736", "/lib/ld.so", "1610620928"})
	mappings := []mapped{{program, 0x1000, 5}, {dynamic(), 0x1000, 6}, {asm.At(0x5000_0000), 0x3000, 5}, {linker, 0x2000, 5}, {asm.At(linkerDynamic).U64(0, 0), 0x1000, 6}, {list, 0x1000, 6}}
	auxv := []uint64{auxPrograms, linkerAt + 64, auxEntries, 2, auxEntry, linkerAt + 0x1000, auxLinker}
	wantModules(t, "by the linker", coreOf(t, append(auxv, 0), mappings...), "demo at 0x400000, 0x4000", "/lib/one.so at 0x50000000, 0x3000", "/lib/ld.so at 0x60000000, 0x3000")
	wantModules(t, "a program that has an interpreter is the one of AT_PHDR", coreOf(t, append(auxv, 0x7000_0000), mappings...), "demo at 0x60000000, 0x3000")
}

// So is one that llvm-bolt has written, although neither its code nor its program headers are in gdb's core.
func TestProgramOfTheLinkerWithMovedHeaders(t *testing.T) {
	const linkerAt, linkerDynamic = 0x6000_0000, 0x6000_2000
	linker := elfHead(linkerAt, 64, 2)
	linker.U32(typeLoad, 5).U64(0, 0, 0, 0x3000, 0x3000, 0x1000)
	linker.U32(typeDynamic, 6).U64(0x2000, 0x2000, 0, 0x100, 0x100, 8)
	list := linked([3]string{"4194304", "", "4206592"}, [3]string{"1610612736", "/lib/ld.so", "1610620928"})
	k := sketch{machine: 62, word: 8, notes: func(n *asm.Section) {
		note(n, "CORE", 6, asm.At(0).U64(auxPrograms, linkerAt+64, auxEntries, 2, auxEntry, linkerAt+0x1000, auxLinker, 0, 0, 0).Build(t))
		files := asm.At(0).U64(3, 0x1000, programAt, programAt+0x1000, 0, dynamicAt, dynamicAt+0x1000, 3, tableAt, tableAt+0x5000, tableOffset/0x1000)
		note(n, "CORE", 0x4649_4c45, files.Text("/bin/moved\x00/bin/moved\x00/bin/moved\x00").Build(t))
	}, mappings: []mapped{
		{identified(elfHead(programAt, tableOffset, 5)), 0x1000, 4}, {dynamic(), 0x1000, 4},
		{linker, 0x2000, 5}, {asm.At(linkerDynamic).U64(0, 0), 0x1000, 6}, {list, 0x1000, 6},
	}}
	core := k.build(t)
	wantModules(t, "by its list", core, "/bin/moved at 0x400000, 0x205000", "/lib/ld.so at 0x60000000, 0x3000")
	if modules, _ := open(t, core).Modules(); len(modules) != 2 || modules[0].CodeID != "0102030405060708" {
		t.Errorf("modules: %+v", modules)
	}
}
