package elfcore

import (
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/write"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/corefile"
)

// The stacks of 500 threads, of which each has 32 MiB, are more than a small minidump keeps. Those of
// the first threads are there, each up to 16 MiB, and a note says what is missing.
func TestStacksAreBounded(t *testing.T) {
	const maxKept, maxStack, belowStack = 2 << 30, 16 << 20, 512
	head, size := corefile.Sparse(t)
	p, err := Open(bin.NewSource(&sparse{head: head, size: size}, size))
	if err != nil {
		t.Fatal(err)
	}
	view, notes, err := write.Stacks(p)
	if err != nil {
		t.Fatal(err)
	}
	want := "memory at 0x0: stacks of more than 2147483648 bytes: those of the last threads are left out"
	if len(notes) != 1 || notes[0].Error() != want {
		t.Errorf("notes %q, want %s", notes, want)
	}
	f, err := minidump.Open(view)
	if err != nil {
		t.Fatal(err)
	}
	memory, _ := f.Memory()
	ranges := memory.Ranges()
	if n := memory.Total(); n > maxKept || n < maxKept-maxStack {
		t.Errorf("%d bytes were kept", n)
	}
	const code = 0x10_0000_0000 // all program counters
	ranges = slices.DeleteFunc(ranges, func(r minidump.Range) bool { return r.Base == code })
	for i, r := range ranges {
		// The stack pointer of thread i is 0x1000 above the base of mapping i.
		if want := uint64(i)<<32 + 0x1000 - belowStack; r.Base != want || r.Size != maxStack {
			t.Fatalf("range %d has %#x bytes at %#x, want %#x at %#x", i, r.Size, r.Base, maxStack, want)
		}
	}
}

// A process has the defects of its core.
func TestNotes(t *testing.T) {
	whole := coreFile(t)
	for _, tt := range []struct {
		name string
		data []byte
		want []string
	}{
		{"a whole core", whole, nil},
		{"without its last byte", whole[:len(whole)-1], []string{
			"memory at 0x182c: 4096 bytes of memory at 0x7fffe000 reach beyond the end of the file at 0x282b",
		}},
	} {
		if got := openedNotes(t, tt.data); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A MIPS program is mapped without write permission where its dynamic section lies, so that the
// linker cannot fill in DT_DEBUG. Two other entries lead to its list: DT_MIPS_RLD_MAP has the address
// of a pointer, and DT_MIPS_RLD_MAP_REL has the distance from the entry to the pointer.
//
// Source: glibc, sysdeps/mips/dl-machine.h, SETUP_DEBUG (elf_machine_runtime_setup).
func TestLinkMapOfMIPS(t *testing.T) {
	const pointer = dynamicAt + 0x800
	library := mapped{asm.At(0x5000_0000), 0x3000, 5}
	list := mapped{linked([3]string{"0", "", "0"}, [3]string{"1342177280", "/lib/one.so", "1342185472"}), 0x1000, 6}
	const app, one = "demo at 0x400000, 0x4000", "/lib/one.so at 0x50000000, 0x3000"
	for _, tt := range []struct {
		name       string
		tag, value uint64
		to         uint64 // what the pointer holds
		want       []string
	}{
		{"DT_MIPS_RLD_MAP", mipsDebug, pointer, linksAt, []string{app, one}},
		{"DT_MIPS_RLD_MAP_REL", mipsDebugRel, pointer - dynamicAt, linksAt, []string{app, one}},
		{"a pointer that the linker has not set", mipsDebug, pointer, 0, []string{app}},
		{"a pointer that was not captured", mipsDebug, 0x6000_0000, linksAt, []string{app}},
		{"a distance that leads to other bytes", mipsDebugRel, pointer - dynamicAt + 8, linksAt, []string{app}},
		{"another entry with the address", 0x7000_0001, pointer, linksAt, []string{app}},
	} {
		section := asm.At(dynamicAt).U64(tt.tag, tt.value, 0, 0)
		section.Zeros(int(pointer-section.Here())).U64(tt.to, 0)
		wantModules(t, tt.name, coreOf(t, auxProgram, mapped{programHead(), 0x1000, 5}, mapped{section, 0x1000, 6}, library, list), tt.want...)
	}
}

// The kernel's library has no file. Its image is a module where it was captured, and its mapping has
// the kernel's name in any case.
func TestVDSO(t *testing.T) {
	const at = 0x7ffc_0000
	head := asm.At(at).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(3, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 1, 0, 0, 0)
	head.U32(1, 5).U64(0, 0, 0, 0x1000, 0x1000, 0x1000)
	auxv := append(slices.Clone(auxProgram), auxVDSO, at)
	program := mapped{programHead(), 0x1000, 5}
	wantModules(t, "captured", coreOf(t, auxv, program, mapped{head, 0x1000, 5}), "demo at 0x400000, 0x4000", "linux-gate.so at 0x7ffc0000, 0x1000")
	wantModules(t, "not captured", coreOf(t, auxv, program, mapped{asm.At(at), 0x1000, 5}), "demo at 0x400000, 0x4000")
	for _, data := range []*asm.Section{head, asm.At(at)} {
		maps, err := open(t, coreOf(t, auxv, program, mapped{data, 0x1000, 5})).LinuxMaps()
		if err != nil || len(maps) != 2 {
			t.Fatalf("%d mappings, %v", len(maps), err)
		}
		if m := maps[1]; m.Base != at || m.End != at+0x1000 || m.Access != "r-xp" || m.Name != "[vdso]" {
			t.Errorf("mapping %+v", m)
		}
	}
}
