package elfcore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
)

// A mapped is a mapping with its captured bytes.
type mapped struct {
	data  *asm.Section // its base is its address
	size  uint64
	flags uint32
}

// coreOf is a core of amd64 with an auxiliary vector and mappings.
func coreOf(t testing.TB, auxv []uint64, mappings ...mapped) []byte {
	notes := asm.At(0)
	note(notes, "CORE", noteProcess, asm.At(0).Zeros(24).U32(1, 1, 2, 3).Text("demo").Zeros(12+80).Build(t))
	note(notes, "CORE", noteAuxv, asm.At(0).U64(auxv...).U64(0, 0).Build(t))
	data := notes.Build(t)
	s := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, uint16(1+len(mappings)), 0, 0, 0)
	s.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(data)), 0, 4)
	for i, m := range mappings {
		s.U32(1, m.flags).Ref(fmt.Sprint(i)).U64(m.data.Base(), 0, uint64(len(m.data.Build(t))), m.size, 0x1000)
	}
	s.Mark("notes").Bytes(data)
	for i, m := range mappings {
		s.Mark(fmt.Sprint(i)).Bytes(m.data.Build(t))
	}
	return s.Build(t)
}

const (
	programAt = 0x40_0000
	dynamicAt = 0x40_3000
	linksAt   = 0x7f00_0000
)

// programHead is the first page of a program whose dynamic section is where dynamicAt says.
func programHead() *asm.Section {
	s := asm.At(programAt).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(2, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 2, 0, 0, 0)
	s.U32(1, 5).U64(0, programAt, programAt, 0x4000, 0x4000, 0x1000)
	return s.U32(2, 6).U64(0x3000, dynamicAt, dynamicAt, 0x100, 0x100, 8)
}

// linked returns consecutive link maps, each with the address, the name and the dynamic section of
// a module. Source: glibc's elf/link.h, struct link_map.
func linked(list ...[3]string) *asm.Section {
	s := asm.At(linksAt).U64(1).Ref("map0").Zeros(16) // struct r_debug: r_version, r_map
	for i, l := range list {
		var bias, dynamic uint64
		fmt.Sscan(l[0], &bias)
		fmt.Sscan(l[2], &dynamic)
		s.Mark(fmt.Sprintf("map%d", i)).U64(bias).Ref(fmt.Sprintf("name%d", i)).U64(dynamic)
		pointer(s, i+1, len(list))
		pointer(s, i-1, len(list))
	}
	for i, l := range list {
		s.Mark(fmt.Sprintf("name%d", i)).Text(l[1] + "\x00")
	}
	return s
}

// pointer is the address of a link, or 0 where there is none.
func pointer(s *asm.Section, i, n int) {
	if i < 0 || i >= n {
		s.U64(0)
		return
	}
	s.Ref(fmt.Sprintf("map%d", i))
}

// dynamic is a dynamic section with DT_DEBUG.
func dynamic() *asm.Section { return asm.At(dynamicAt).U64(1, 0x10, dynamicDebug, linksAt, 0, 0) }

// listed is a core's modules: "name at base, size".
func listed(t *testing.T, core []byte) (out []string, notes []error) {
	t.Helper()
	s := open(t, core)
	modules, err := s.Modules()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		out = append(out, fmt.Sprintf("%s at %#x, %#x", m.CodeFile, m.Base, m.Size))
	}
	return out, defects(s.Process)
}

func wantModules(t *testing.T, name string, core []byte, want ...string) {
	t.Helper()
	if got, _ := listed(t, core); !slices.Equal(got, want) {
		t.Errorf("%s: %q\nwant %q", name, got, want)
	}
}

var auxProgram = []uint64{auxPrograms, programAt + 0x40, auxEntry, programAt + 0x1000}

// The dynamic linker's list has all modules. One whose headers were not captured extends to the
// mapping with its dynamic section, and to an adjacent one with variables.
func TestLinkMap(t *testing.T) {
	program := mapped{programHead(), 0x1000, 5}
	variables := mapped{dynamic(), 0x1000, 6}
	links := func(s *asm.Section) mapped { return mapped{s, 0x1000, 6} }
	library := func(at, size uint64, flags uint32) mapped { return mapped{asm.At(at), size, flags} }
	list := func() *asm.Section {
		return linked([3]string{"0", "", "0"}, [3]string{"1342177280", "/lib/one.so", "1342185472"}, [3]string{"1610612736", "/lib/two.so", "1610616832"})
	}
	const app = "demo at 0x400000, 0x4000"
	wantModules(t, "two libraries", coreOf(t, auxProgram, program, variables, links(list()), library(0x5000_0000, 0x3000, 5), library(0x5000_3000, 0x1000, 6), library(0x6000_0000, 0x2000, 6)),
		app, "/lib/one.so at 0x50000000, 0x4000", "/lib/two.so at 0x60000000, 0x2000")
	wantModules(t, "no mapping of one of them", coreOf(t, auxProgram, program, variables, links(list()), library(0x5000_0000, 0x3000, 5)),
		app, "/lib/one.so at 0x50000000, 0x3000")
	wantModules(t, "no dynamic section", coreOf(t, auxProgram, program, links(list()), library(0x5000_0000, 0x3000, 5)), app)
	wantModules(t, "no list", coreOf(t, auxProgram, program, variables, library(0x5000_0000, 0x3000, 5)), app)
	wantModules(t, "a name that is empty", coreOf(t, auxProgram, program, variables, links(linked([3]string{"0", "", "0"}, [3]string{"1342177280", "", "1342185472"})), library(0x5000_0000, 0x3000, 5)), app)
	wantModules(t, "a dynamic section in front of its module", coreOf(t, auxProgram, program, variables, links(linked([3]string{"0", "", "0"}, [3]string{"1342177280", "/lib/one.so", "4198400"})), library(0x5000_0000, 0x3000, 5)), app)
}

// A truncated list has a note with the next address, and a cyclic one ends.
func TestLinkMapDamaged(t *testing.T) {
	program, variables := mapped{programHead(), 0x1000, 5}, mapped{dynamic(), 0x1000, 6}
	cut := asm.At(linksAt).U64(1).Ref("map0").Zeros(16).Mark("map0").U64(0, 0, 0, 0x7f12_3450, 0)
	_, notes := listed(t, coreOf(t, auxProgram, program, variables, mapped{cut, 0x1000, 6}))
	want := "the list of the dynamic linker continues at 0x7f123450, where no memory was captured"
	if len(notes) != 1 || !strings.Contains(notes[0].Error(), want) {
		t.Errorf("%v, want %s", notes, want)
	}
	circle := asm.At(linksAt).U64(1).Ref("map0").Zeros(16).Mark("map0").U64(0, 0, 0).Ref("map0").U64(0)
	wantModules(t, "a circle", coreOf(t, auxProgram, program, variables, mapped{circle, 0x1000, 6}), "demo at 0x400000, 0x4000")
	empty := asm.At(dynamicAt).U64(0, 0, dynamicDebug, linksAt)
	_, notes = listed(t, coreOf(t, auxProgram, program, mapped{empty, 0x1000, 6}, mapped{cut, 0x1000, 6}))
	if len(notes) != 0 {
		t.Errorf("entries behind DT_NULL were read: %v", notes)
	}
}

// If the program's headers were not captured, as in cores of QEMU, DT_DEBUG is found by a link that
// points back to the same dynamic section.
func TestLinkMapWithoutHeaders(t *testing.T) {
	list := func(dynamic string) mapped {
		return mapped{linked([3]string{"0", "", dynamic}, [3]string{"1342177280", "/lib/one.so", "1342185472"}), 0x1000, 6}
	}
	code := mapped{asm.At(programAt), 0x3000, 5}
	library := mapped{asm.At(0x5000_0000), 0x3000, 5}
	for _, tt := range []struct {
		name string
		list mapped
		want []string
	}{
		{"it leads back", list(fmt.Sprint(dynamicAt)), []string{"demo at 0x400000, 0x4000", "/lib/one.so at 0x50000000, 0x3000"}},
		{"it leads to another module", list("1342185472"), []string{"demo at 0x400000, 0x4000"}},
		{"it leads behind the entry", list(fmt.Sprint(dynamicAt + 0x20)), []string{"demo at 0x400000, 0x4000"}},
	} {
		core := coreOf(t, auxProgram, code, mapped{dynamic(), 0x1000, 6}, library, tt.list)
		wantModules(t, tt.name, core, tt.want...)
	}
}

// Arguments and environment are below the auxiliary vector on the stack: Linux, fs/binfmt_elf.c,
// create_elf_tables.
func TestArguments(t *testing.T) {
	auxv := []uint64{auxPrograms, programAt + 0x40, auxFile, 0x8000_0f00}
	stack := func(below func(s *asm.Section)) mapped {
		s := asm.At(0x8000_0000).Zeros(0x100)
		below(s)
		s.U64(auxv...).U64(0, 0).Mark("a").Text("demo\x00").Mark("b").Text("--x\x00").Mark("e").Text("HOME=/home/me=x\x00").Mark("bad").Text("\xff\x00").Mark("plain").Text("NAME\x00")
		s.Zeros(int(0x8000_0f00 - s.Here())).Text("/opt/demo\x00")
		return mapped{s, 0x1000, 6}
	}
	for _, tt := range []struct {
		name  string
		below func(s *asm.Section)
		args  []string
		env   []minidump.KeyValue
	}{
		{"both", func(s *asm.Section) { s.U64(2).Ref("a").Ref("b").U64(0).Ref("e").U64(0) }, []string{"demo", "--x"}, []minidump.KeyValue{{Key: "HOME", Value: "/home/me=x"}}},
		{"no environment", func(s *asm.Section) { s.U64(1).Ref("a").U64(0, 0) }, []string{"demo"}, nil},
		{"a variable without a value", func(s *asm.Section) { s.U64(1).Ref("a").U64(0).Ref("plain").U64(0) }, []string{"demo"}, []minidump.KeyValue{{Key: "NAME"}}},
		{"bytes that are no UTF-8", func(s *asm.Section) { s.U64(1).Ref("bad").U64(0, 0) }, []string{"\ufffd"}, nil},
		{"an argument that is not captured", func(s *asm.Section) { s.U64(2).Ref("a").U64(0x9999_0000).U64(0, 0) }, []string{"demo"}, nil},
		{"no pointers", func(s *asm.Section) { s.U64(7) }, nil, nil},
	} {
		f := open(t, coreOf(t, auxv, stack(tt.below)))
		args, _ := f.CommandLine()
		env, _ := f.Environment()
		if !slices.Equal(args, tt.args) || !slices.Equal(env, tt.env) {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, args, env, tt.args, tt.env)
		}
	}
}
