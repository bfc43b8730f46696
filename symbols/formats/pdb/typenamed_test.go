package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/values/types"
)

// namedTypes is a file whose types are found by their names.
func namedTypes(t testing.TB, machine uint16) *File {
	class := func(kind uint16, prop, size uint16, name string) []byte {
		return rec(t, kind, asm.At(0).U16(0, prop).U32(0, 0, 0).U16(size).Text(name).U8(0))
	}
	p := x86(t)
	p.machine, p.optional = machine, nil
	p.types = [][]byte{
		class(0x1505, 0x80, 0, "geo::Box"), class(0x1504, 0, 12, "geo::Box"),
		rec(t, 0x1506, asm.At(0).U16(0, 0).U32(0).U16(8).Text("Either\x00")), rec(t, 0x1507, asm.At(0).U16(0, 0).U32(0x74, 0).Text("Colour\x00")),
		class(0x1505, 0x80, 0, "Declared"), rec(t, 0x150a, asm.At(0).U32(0x74).Text("Alias\x00")), class(0x1505, 0, 4, "V<geo::Box,4,Colour *>"),
	}
	p.hashed = []string{"geo::Box", "geo::Box", "Either", "Colour", "Declared", "Alias", "V<geo::Box,4,Colour *>"}
	return openBytes(t, p.build(t))
}

// TestClass finds definitions by their full names; what is only declared is none.
func TestClass(t *testing.T) {
	f := namedTypes(t, machineAMD64)
	for name, want := range map[string]string{
		"geo::Box": "geo::Box [12]", "Either": "Either [8]", "Colour": "Colour [4]", "V<geo::Box,4,Colour *>": "V<geo::Box,4,Colour *> [4]",
		"Declared": "", "Alias": "", "Box": "", "GEO::BOX": "", "": "",
	} {
		got := ""
		if c := f.Class(name); c != nil {
			got = drawn(c)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	p := x86(t)
	p.extra = map[int][]byte{streamTPI: {}}
	if c := openBytes(t, p.build(t)).Class("geo::Box"); c != nil {
		t.Errorf("without types: %s", drawn(c))
	}
}

// TestTypeCalled has what the names in a template's arguments mean, in C++ and in Rust.
func TestTypeCalled(t *testing.T) {
	files := map[uint16]*File{machineAMD64: namedTypes(t, machineAMD64), machineX86: namedTypes(t, machineX86)}
	for _, tt := range []struct {
		machine  uint16
		language types.Language
		name     string
		want     string
	}{
		{machineAMD64, types.CPlusPlus, "geo::Box", "geo::Box [12]"}, {machineAMD64, types.CPlusPlus, " geo::Box ", "geo::Box [12]"},
		{machineAMD64, types.CPlusPlus, "Colour *", "Colour * [8]"}, {machineX86, types.CPlusPlus, "Colour *", "Colour * [4]"},
		{machineAMD64, types.CPlusPlus, "geo::Box &", "geo::Box & [8]"}, {machineAMD64, types.CPlusPlus, "geo::Box &&", "geo::Box && [8]"},
		{machineAMD64, types.CPlusPlus, "const geo::Box", "const geo::Box [0]"}, {machineAMD64, types.CPlusPlus, "geo::Box const", "const geo::Box [0]"},
		{machineAMD64, types.CPlusPlus, "volatile Colour", "volatile Colour [0]"}, {machineAMD64, types.CPlusPlus, "void *", "void * [8]"},
		{machineAMD64, types.CPlusPlus, "__int64", "int64_t [8]"}, {machineAMD64, types.CPlusPlus, "unsigned __int64", "uint64_t [8]"},
		{machineAMD64, types.CPlusPlus, "long", "long [4]"}, {machineAMD64, types.CPlusPlus, "unsigned short", "unsigned short [2]"},
		{machineAMD64, types.CPlusPlus, "i32", ""}, {machineAMD64, types.CPlusPlus, "Nowhere", ""}, {machineAMD64, types.CPlusPlus, "Nowhere *", ""}, {machineAMD64, types.CPlusPlus, "const Nowhere", ""},
		{machineAMD64, types.CPlusPlus, "...", ""}, {machineAMD64, types.CPlusPlus, "", ""}, {machineAMD64, types.CPlusPlus, "*", ""}, {machineAMD64, types.CPlusPlus, "constant", ""},
		{machineAMD64, types.Rust, "i32", "i32 [4]"}, {machineAMD64, types.Rust, "u8", "u8 [1]"}, {machineAMD64, types.Rust, "char", "char [4]"}, {machineAMD64, types.Rust, "int", ""},
		{machineAMD64, types.Rust, "usize", "u64 [8]"}, {machineX86, types.Rust, "usize", "u32 [4]"}, {machineAMD64, types.Rust, "isize", "i64 [8]"}, {machineX86, types.Rust, "isize", "i32 [4]"},
		{machineAMD64, types.Rust, "ref$<u8>", "*const u8 [8]"}, {machineAMD64, types.Rust, "ptr_mut$<geo::Box>", "*const geo::Box [8]"}, {machineAMD64, types.Rust, "ref$<u8", ""}, {machineAMD64, types.Rust, "ref$<nowhere>", ""},
	} {
		f, got := files[tt.machine], ""
		if found := f.typeCalled(tt.name, tt.language, maxNameDepth); found != nil {
			got = strings.ReplaceAll(drawn(found), "u8 *", "*const u8")
			got = strings.ReplaceAll(got, "geo::Box * [8]", "*const geo::Box [8]")
		}
		if got != tt.want {
			t.Errorf("%#x %v %q: %q, want %q", tt.machine, tt.language, tt.name, got, tt.want)
		}
	}
}

// TestDeepTypeNames has a pointer to a pointer and so on, to the depth that is read.
func TestDeepTypeNames(t *testing.T) {
	f := namedTypes(t, machineAMD64)
	for stars, want := range map[int]bool{1: true, maxNameDepth - 1: true, maxNameDepth: false, 1000: false} {
		if got := f.typeCalled("int"+strings.Repeat("*", stars), types.CPlusPlus, maxNameDepth) != nil; got != want {
			t.Errorf("%d asterisks: %v, want %v", stars, got, want)
		}
	}
}

// TestTemplateArguments are those of a class: types and numbers, 64 at most.
func TestTemplateArguments(t *testing.T) {
	f := namedTypes(t, machineAMD64)
	var got []string
	for _, a := range f.Class("V<geo::Box,4,Colour *>").Args {
		if a.Value != nil {
			got = append(got, fmt.Sprint(*a.Value))
		} else {
			got = append(got, types.Spell(a.Type.Get()))
		}
	}
	if want := "geo::Box|4|Colour *"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
	m := &modeling{f: f, l: types.CPlusPlus}
	for name, want := range map[string]int{"V<0x10,-3,0b1>": 3, "V<" + strings.Repeat("1,", 63) + "1>": 64, "V<" + strings.Repeat("1,", 64) + "1>": 64, "<int>": 0} {
		if got := len(m.arguments(name)); got != want {
			t.Errorf("%.20s: %d arguments, want %d", name, got, want)
		}
	}
	if a := m.arguments("V<0x10,-3>"); *a[0].Value != 16 || *a[1].Value != -3 {
		t.Errorf("%d, %d", *a[0].Value, *a[1].Value)
	}
}

// TestTypeSizes has what a type takes up, for pointers to count elements of arrays by.
func TestTypeSizes(t *testing.T) {
	p := x86(t)
	p.optional = nil
	p.types = [][]byte{
		rec(t, 0x1001, asm.At(0).U32(0x74).U16(1)),                                         // 1000 const int
		rec(t, 0x1002, asm.At(0).U32(0x74, 0x1000c)),                                       // 1001 int*, of 8 bytes
		rec(t, 0x1002, asm.At(0).U32(0x74, 0x800a)),                                        // 1002 int*, of 4
		rec(t, 0x1008, asm.At(0).U32(0x74).U8(0, 0).U16(0).U32(0)),                         // 1003 int()
		rec(t, 0x1507, asm.At(0).U16(0, 0).U32(0x72, 0).Text("E\x00")),                     // 1004 enum : short
		rec(t, 0x150a, asm.At(0).U32(0x1004).Text("A\x00")),                                // 1005 an alias of it
		rec(t, 0x1503, asm.At(0).U32(0x74, 0x23).U16(12).U8(0)),                            // 1006 int[3]
		rec(t, 0x1506, asm.At(0).U16(0, 0).U32(0).U16(7).Text("U\x00")),                    // 1007
		rec(t, 0x1505, asm.At(0).U16(0, 0x80).U32(0, 0, 0).U16(0).Text("Declared\x00")),    // 1008
		rec(t, 0x1001, asm.At(0).U32(0x1009).U16(1)),                                       // 1009 of itself
		rec(t, 0x1201, asm.At(0).U32(0)),                                                   // 100a no type
		rec(t, 0x151b, asm.At(0).U32(0x40, 4).U16(16).Text("float4\x00")),                  // 100b
		rec(t, 0x1519, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(9).Text("I\x00")),              // 100c an interface
		rec(t, 0x1518, asm.At(0).U32(0x76).U16(1, 2)),                                      // 100d with a list of modifiers
		rec(t, 0x1009, asm.At(0).U32(3, 0x1007, 0x1002).U8(0, 0).U16(0).U32(0x100a, 0)),    // 100e a method
		rec(t, 0x1503, asm.At(0).U32(0x74, 0x23).U16(0x8004).U32(3_000_000_000).U8(0)),     // 100f
		rec(t, 0x1503, asm.At(0).U32(0x74, 0x23).U16(0x800a).U64(5_000_000_000_000).U8(0)), // 1010
	}
	for machine, word := range map[uint16]uint64{machineX86: 4, machineARM: 4, machineAMD64: 8, machineARM64: 8, machineARM64EC: 8} {
		p.machine = machine
		f := openBytes(t, p.build(t))
		for number, want := range map[uint32]uint64{
			0x74: 4, 0x20: 1, 0x13: 8, 0x42: 10, 3: 0, 0: 0, 0x474: word, 0x674: word, 0x403: word, 0xff: 0,
			0x1000: 4, 0x1001: 8, 0x1002: 4, 0x1003: word, 0x1004: 2, 0x1005: 2, 0x1006: 12, 0x1007: 7, 0x1008: 0, 0x1009: 0, 0x100a: 0, 0x100b: 16, 0x100c: 9, 0x100d: 8, 0x100e: word,
			0x100f: 3_000_000_000, 0x1010: 5_000_000_000_000, 0x5000: 0,
		} {
			if got := f.typeSize(&unit{}, number); got != want {
				t.Errorf("%#x on %#x: %d bytes, want %d", number, machine, got, want)
			}
		}
	}
}
