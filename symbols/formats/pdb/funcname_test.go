package pdb

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestInlineNames has each kind of id that an inlined function can have.
func TestInlineNames(t *testing.T) {
	tests := []struct {
		want string
		kind uint16
		body *asm.Section
	}{
		{"geo::Box::inside(geo::Box const&) const", 0x1602, asm.At(0).U32(0x1003, 0x1008).Text("inside\x00")}, // 1000
		{"", 0x1605, asm.At(0).U32(0).Text("geo\x00")},                                                        // 1001: a scope, no function
		{"geo::min(int, char**)", 0x1601, asm.At(0).U32(0x1001, 0x1001).Text("min\x00")},
		{"free(int, char**)", 0x1601, asm.At(0).U32(0, 0x1001).Text("free\x00")},
		{"", 0x1605, asm.At(0).U32(0).Text("?A0x1234abcd\x00")}, // 1004
		{"`anonymous namespace'::hidden(int, char**)", 0x1601, asm.At(0).U32(0x1004, 0x1001).Text("hidden\x00")},
		{"<name omitted>(int, char**)", 0x1601, asm.At(0).U32(0, 0x1001).Text("\x00")},
		{"typeless", 0x1601, asm.At(0).U32(0, 0).Text("typeless\x00")},
		{"lost", 0x1601, asm.At(0).U32(0x2000, 0x1001).Text("lost\x00")}, // a scope that is not there
		{"geo::broken", 0x1601, asm.At(0).U32(0x1001, 0x2000).Text("broken\x00")},
		{"", 0x1606, asm.At(0).U32(0x1003, 0x1001, 5)}, // where a class is defined
	}
	p := example(t)
	p.ids = nil
	for _, tt := range tests {
		p.ids = append(p.ids, rec(t, tt.kind, tt.body))
	}
	f := openBytes(t, p.build(t))
	for i, tt := range tests {
		for range 2 { // the second time from memory
			if got := f.inlineName(&unit{}, uint32(0x1000+i)); got != tt.want {
				t.Errorf("%#x: %q, want %q", 0x1000+i, got, tt.want)
			}
		}
	}
	for _, want := range []string{"type 0x2000 is asked for, it has 0x1000 to 0x1009", "type 0x2000 is asked for, it has 0x1000 to 0x100b"} {
		if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, want) {
			t.Errorf("notes %q, want %q", notes, want)
		}
	}
}

// TestArgumentBytes has a function type each, with what a caller pushes.
func TestArgumentBytes(t *testing.T) {
	const stdcall, fastcall, thiscall, cdecl = 7, callFast, callThis, 0
	list := asm.At(0).U32(3, 0x74, 0x70, 0x41) // int, char, double: 4 + 4 + 8
	p := x86(t)
	p.types = [][]byte{
		rec(t, 0x1201, list),                                                          // 1000
		rec(t, 0x1201, asm.At(0).U32(2, 0x74, 0)),                                     // 1001: and more
		rec(t, 0x1201, asm.At(0).U32(1, 0x1003)),                                      // 1002
		rec(t, 0x1505, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(5).Text("Five\x00")),      // 1003
		rec(t, 0x1201, asm.At(0).U32(1, 0x1005)),                                      // 1004
		rec(t, 0x1505, asm.At(0).U16(0, 0x80).U32(0, 0, 0).U16(0).Text("Known?\x00")), // 1005: only declared
		rec(t, 0x1002, asm.At(0).U32(0x1003, 0x800a)),                                 // 1006: pointer of 4 bytes
		rec(t, 0x1201, asm.At(0).U32(2, 0x1006, 0x404)),                               // 1007: two pointers
	}
	f := openBytes(t, p.build(t))
	tests := []struct {
		name string
		t    typ
		want uint32
	}{
		{"sum", typ{kind: leafProc, args: 0x1000, call: stdcall}, 16},
		{"cdecl has them on the stack, too", typ{kind: leafProc, args: 0x1000, call: cdecl}, 16},
		{"in registers", typ{kind: leafProc, args: 0x1000, call: fastcall}, 0},
		{"those that are known", typ{kind: leafProc, args: 0x1001}, 4},
		{"rounded up", typ{kind: leafProc, args: 0x1002}, 8},
		{"a size that is not known", typ{kind: leafProc, args: 0x1004}, 0},
		{"pointers", typ{kind: leafProc, args: 0x1007}, 8},
		{"this in a register", typ{kind: leafMethod, args: 0x1002, this: 0x1006, call: thiscall}, 8},
		{"this on the stack", typ{kind: leafMethod, args: 0x1002, this: 0x1006, call: stdcall}, 12},
		{"a place for the result", typ{kind: leafProc, args: 0x1002, structOut: true}, 12},
		{"no list", typ{kind: leafProc, args: 0x2000}, 0},
	}
	for _, tt := range tests {
		if got := f.argumentBytes(&unit{}, tt.t); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	f.dbi.machine = machineAMD64
	if got := f.argumentBytes(&unit{}, tests[0].t); got != 0 {
		t.Errorf("on x64: %d", got)
	}
}

// TestPublicsReach has symbols without functions, and where each ends.
func TestPublicsReach(t *testing.T) {
	p := example(t)
	p.sections = [][3]uint32{{0x1000, 0x100, codeFlags}, {0x2000, 0x100, codeFlags}, {0x3000, 0x100, dataFlags}}
	p.publics = []symbolAt{{"late", 1, 0x60}, {"early", 1, 0x10}, {"before", 1, 0x44}, {"data", 3, 0}, {"nowhere", 9, 0}}
	sym := symbolRecords()
	addProc(t, sym, "f", 0, 1, 0x48, 8)
	addEnd(t, sym, 6)
	p.modules = []object{
		{"a.obj", asm.At(0), asm.At(0), [][3]uint32{{1, 0, 0x20}, {1, 0x60, 0x20}}},
		{"b.obj", asm.At(0), asm.At(0), [][3]uint32{{1, 0x30, 8}, {2, 0x10, 8}}},
		{"c.obj", sym, asm.At(0), [][3]uint32{{1, 0x40, 0x18}}},
	}
	f := openBytes(t, p.build(t))
	for rel, want := range map[uint64]string{
		0x100f: "-",
		0x1010: "early",
		0x102f: "early",  // between two pieces
		0x1030: "-",      // another module's, without a symbol
		0x1044: "before", // in the middle of a piece
		0x1048: "f",
		0x1050: "-", // behind a function of the same piece
		0x1060: "late", 0x10ff: "late",
		0x1100: "-", 0x2000: "-", 0x2010: "-", 0x3000: "-",
	} {
		if got := located(f, rel); got[0] != want {
			t.Errorf("%#x: %q, want %q", rel, got[0], want)
		}
	}
}
