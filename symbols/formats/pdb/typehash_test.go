package pdb

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestDefinition has arrays of types that are only declared where they are
// named. How many elements there are is known from the definitions.
func TestDefinition(t *testing.T) {
	const declared, decorated = 0x80, 0x200
	p := x86(t)
	p.types = [][]byte{
		rec(t, 0x1505, asm.At(0).U16(0, declared).U32(0, 0, 0).U16(0).Text("Pair\x00")), // 1000
		rec(t, 0x1503, asm.At(0).U32(0x1000, 0x74).U16(24).U8(0)),
		rec(t, 0x1505, asm.At(0).U16(2, 0).U32(0, 0, 0).U16(8).Text("Pair\x00")),
		rec(t, 0x1506, asm.At(0).U16(0, declared|decorated).U32(0).U16(0).Text("in\x00.?AT1@\x00")), // 1003
		rec(t, 0x1503, asm.At(0).U32(0x1003, 0x74).U16(32).U8(0)),
		rec(t, 0x1506, asm.At(0).U16(2, decorated).U32(0).U16(4).Text("in\x00.?AT2@\x00")), // another one of the name
		rec(t, 0x1506, asm.At(0).U16(2, decorated).U32(0).U16(16).Text("in\x00.?AT1@\x00")),
		rec(t, 0x1507, asm.At(0).U16(0, declared).U32(0, 0).Text("Kind\x00")), // 1007
		rec(t, 0x1503, asm.At(0).U32(0x1007, 0x74).U16(6).U8(0)),
		rec(t, 0x1507, asm.At(0).U16(2, 0).U32(0x11, 0).Text("Kind\x00")),
		rec(t, 0x1505, asm.At(0).U16(0, declared).U32(0, 0, 0).U16(0).Text("Nowhere\x00")), // 100a
		rec(t, 0x1503, asm.At(0).U32(0x100a, 0x74).U16(24).U8(0)),
	}
	p.hashed = []string{"-", "-", "Pair", "-", "-", ".?AT2@", ".?AT1@", "-", "-", "Kind", "-", "-"}
	f := openBytes(t, p.build(t))
	for number, want := range map[uint32]string{0x1001: "Pair[3]", 0x1004: "in[2]", 0x1008: "Kind[3]", 0x100b: "Nowhere[]"} {
		w := typeWriter{f: f, u: &unit{}}
		if w.typ(number, 0); w.b.String() != want {
			t.Errorf("%#x: %q, want %q, notes %q", number, w.b.String(), want, f.Notes())
		}
	}
}

// TestHashes has names of every length modulo four, with the buckets that lld-link 19 wrote for
// them: llvm-pdbutil dump -types -type-extras.
func TestHashes(t *testing.T) {
	for name, want := range map[string]uint32{
		"A": 0xc4a, "AB": 0x4e52, "ABC": 0x4e13, "ABCD": 0x3a37d, "ABCDE": 0x3a342, "abcdefg": 0x3e583,
		"geo::Box": 0x19e0, "Either": 0x177fc, "Colour": 0x1dba8, "a": 0xc4a, // case does not count
	} {
		if got := hashName(name) % 0x3ffff; got != want {
			t.Errorf("%s: %#x, want %#x", name, got, want)
		}
	}
}

// TestHashStream has streams of hashes that are damaged: no definition is found, and no other
// one either.
func TestHashStream(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(f *File, h *typeHashes)
		want   bool
		note   string
	}{
		{name: "whole", change: func(*File, *typeHashes) {}, want: true, note: ""},
		{name: "no stream", change: func(_ *File, h *typeHashes) { h.stream = noStream }, note: ""},
		{name: "a stream that is not there", change: func(_ *File, h *typeHashes) { h.stream = 99 }, note: ""},
		{name: "no buckets", change: func(_ *File, h *typeHashes) { h.buckets = 0 }, note: ""},
		{name: "as many buckets as there may be", change: func(_ *File, h *typeHashes) { h.buckets = maxBuckets }, note: ""}, // other buckets
		{name: "one bucket for all", change: func(_ *File, h *typeHashes) { h.buckets = 1 }, want: true, note: ""},
		{name: "too many buckets", change: func(_ *File, h *typeHashes) { h.buckets = maxBuckets + 1 }, note: ""},
		{name: "hashes behind the stream", change: func(_ *File, h *typeHashes) { h.at = 1 << 20 }, note: "reach beyond the end of the file"},
		{name: "hashes of fewer types", change: func(_ *File, h *typeHashes) { h.size = 8 }, note: ""},
		{name: "no work left", change: func(_ *File, h *typeHashes) { h.work.Spend(1 << 62) }, note: ""},
	} {
		p := x86(t)
		p.types = [][]byte{
			rec(t, 0x1505, asm.At(0).U16(0, 0x80).U32(0, 0, 0).U16(0).Text("Pair\x00")),
			rec(t, 0x1507, asm.At(0).U16(2, 0).U32(0x74, 0).Text("Pair\x00")),         // another kind
			rec(t, 0x1505, asm.At(0).U16(2, 0).U32(0, 0, 0).U16(8).Text("Pain\x00")),  // another name
			rec(t, 0x1505, asm.At(0).U16(2, 0).U32(0, 0, 0).U16(12).Text("Pair\x00")), // the one
		}
		p.hashed = []string{"Pair", "Pair", "Pair", "Pair"}
		f := openBytes(t, p.build(t))
		tt.change(f, &f.types.hashes)
		declared, err := f.typeAt(&unit{}, 0x1000)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from memory
			if got := f.defined(declared); (got.size == 12) != tt.want || got.forward == tt.want {
				t.Errorf("%s: %+v", tt.name, got)
			}
		}
		if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q", tt.name, notes, tt.note)
		}
	}
}

// TestManyOfOneHash has more types of one hash than are looked at.
func TestManyOfOneHash(t *testing.T) {
	for others, want := range map[int]bool{maxSameHash - 1: true, maxSameHash: false} {
		p := x86(t)
		p.types, p.hashed = nil, nil
		for range others {
			p.types = append(p.types, rec(t, 0x1505, asm.At(0).U16(2, 0).U32(0, 0, 0).U16(8).Text("Other\x00")))
			p.hashed = append(p.hashed, "Pair")
		}
		p.types = append(p.types, rec(t, 0x1505, asm.At(0).U16(2, 0).U32(0, 0, 0).U16(12).Text("Pair\x00")))
		p.hashed = append(p.hashed, "Pair")
		if got := openBytes(t, p.build(t)).Class("Pair") != nil; got != want {
			t.Errorf("behind %d others it is found: %v, want %v", others, got, want)
		}
	}
}
