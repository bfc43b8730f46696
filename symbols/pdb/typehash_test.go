package pdb

import (
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
