package pdb

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/values/types"
)

// TestCrossReferences resolves numbers of types of other modules, and those that lead nowhere.
//
// Source: DecodedItemId of microsoft-pdb's include/cvinfo.h: a bit, 11 bits of a module, 20 of a type.
func TestCrossReferences(t *testing.T) {
	p := example(t)
	p.text = append(p.text, "copy.OBJ", "nobody.obj")
	p.modules[0].c13 = asm.At(0).Bytes(sub(t, 0xf7, asm.At(0).
		U32(p.nameAt("copy.OBJ"), 3, 0x1111, 0x2222, 0x3333).U32(p.nameAt("nobody.obj"), 1, 0x1111).U32(0x5555, 1, 0x1111).U32(9)))
	p.modules[1].c13 = asm.At(0).Bytes(sub(t, 0xf8, asm.At(0).U32(0x1111, 0x1003, 0x3333, 0x8000_0000, 9)))
	f := openBytes(t, p.build(t))
	u := f.unit(0)
	for number, want := range map[uint32]uint32{
		0x74: 0x74, 0x7fff_ffff: 0x7fff_ffff, 0x8000_0000: 0x1003,
		0x8000_0001: 0 /* not exported */, 0x8000_0002: 0 /* exported as another reference */, 0x8000_0003: 0, /* not imported */
		0x8010_0000: 0 /* of no module */, 0x8020_0000: 0 /* of a module without a name */, 0x8030_0000: 0, 0xffff_ffff: 0,
	} {
		got, ok := f.resolve(u, number)
		if ok != (want != 0) || ok && got != want {
			t.Errorf("%#x: %#x, %v, want %#x", number, got, ok, want)
		}
	}
	if name := f.typeRef(u, 0x8000_0000, types.C).Get().Name; name != "geo::Box" {
		t.Errorf("the type is %s", name)
	}
	if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, "(/names) at 0x5561: lies beyond the strings") {
		t.Errorf("notes %q", notes)
	}
}

// TestThisArgument has methods whose "this" is no pointer to their class, as rustc describes
// functions with a reference first: it is written as the first argument.
func TestThisArgument(t *testing.T) {
	p := example(t)
	p.types = append(p.types,
		rec(t, 0x1002, asm.At(0).U32(0x1003, 0x1000c)),                                     // 1009 Box*
		rec(t, 0x1009, asm.At(0).U32(0x74, 0x1003, 0x1009).U8(0, 0).U16(1).U32(0x1007, 0)), // 100a Box::()(Box const&)
		rec(t, 0x1009, asm.At(0).U32(0x74, 0x1003, 0).U8(0, 0).U16(1).U32(0x1007, 0)),      // 100b static
		rec(t, 0x1009, asm.At(0).U32(0x74, 0x1003, 0x674).U8(0, 0).U16(1).U32(0x1007, 0)),  // 100c with an int* for this
		rec(t, 0x1009, asm.At(0).U32(0x74, 0x1003, 0x1002).U8(0, 0).U16(1).U32(0x1007, 0)), // 100d with a char** for this
		rec(t, 0x1001, asm.At(0).U32(0x74).U16(1)),                                         // 100e const int
		rec(t, 0x1002, asm.At(0).U32(0x100e, 0x1000c)),                                     // 100f const int*
		rec(t, 0x1009, asm.At(0).U32(0x74, 0x1003, 0x100f).U8(0, 0).U16(1).U32(0x1007, 0)), // 1010 with that for this
	)
	f := openBytes(t, p.build(t))
	for number, want := range map[uint32]string{
		0x1001: "(int, char**)", 0x1008: "(geo::Box const&) const", 0x100a: "(geo::Box const&)", 0x100b: "(geo::Box const&)", 0x100c: "(int*, geo::Box const&)",
		0x100d: "(char**, geo::Box const&)", 0x1010: "(int const*, geo::Box const&)", 0x1003: "", 0x74: "",
	} {
		for range 2 { // the second time from memory
			if got := f.signature(&unit{}, number); got.text != want || got.ok != (want != "") {
				t.Errorf("%#x: %q, %v, want %q", number, got.text, got.ok, want)
			}
		}
	}
}

// TestAnonymousNamespaces knows ?A0x and eight digits, as MSVC and LLVM write the ids of
// anonymous namespaces.
func TestAnonymousNamespaces(t *testing.T) {
	for name, want := range map[string]bool{"?A0x1234abcd": true, "?A0xffffffff": true, "?A0x0": true, "?A0x": false, "?A0x123456789": false, "?A0xghij": false, "?A1x1234abcd": false, "A0x1234abcd": false, "": false} {
		if got := isAnonymous(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
