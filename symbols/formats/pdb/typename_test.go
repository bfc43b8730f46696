package pdb

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestTypeNames writes each type of a list; want is how it looks.
func TestTypeNames(t *testing.T) {
	const ptr, ref, rref, constPtr = 0x1000c, 0x1002c, 0x1008c, 0x1040c
	tests := []struct {
		want string
		kind uint16
		body *asm.Section
	}{
		{"Box", 0x1504, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(12).Text("Box\x00")}, // 1000
		{"const Box", 0x1001, asm.At(0).U32(0x1000).U16(1)},
		{"Box const*", 0x1002, asm.At(0).U32(0x1001, ptr)},
		{"Box const* const", 0x1002, asm.At(0).U32(0x1001, constPtr)},
		{"Box const**", 0x1002, asm.At(0).U32(0x1002, ptr)},
		{"Box&&", 0x1002, asm.At(0).U32(0x1000, rref)}, // 1005
		{"char*&", 0x1002, asm.At(0).U32(0x670, ref)},
		{"int, Box const*, ...", 0x1201, asm.At(0).U32(3, 0x74, 0x1002, 0)}, // 1007
		{"()(int, Box const*, ...)", 0x1008, asm.At(0).U32(3).U8(0, 0).U16(3).U32(0x1007)},
		{"void (*)(int, Box const*, ...)", 0x1002, asm.At(0).U32(0x1008, ptr)},                                   // 1009
		{"()(int, Box const*, ...)", 0x1009, asm.At(0).U32(0x41, 0x1000, 0x1015).U8(0, 0).U16(3).U32(0x1007, 0)}, // 100a
		{"double (Box::*)(int, Box const*, ...)", 0x1002, asm.At(0).U32(0x100a, 0x1006c)},
		{"Box[3]", 0x1503, asm.At(0).U32(0x1000, 0x74).U16(36).U8(0)}, // 100c
		{"Box[4][3]", 0x1503, asm.At(0).U32(0x100c, 0x74).U16(144).U8(0)},
		{"Box[4][3]*", 0x1002, asm.At(0).U32(0x100d, ptr)},
		{"Gone[]", 0x1503, asm.At(0).U32(0x1010, 0x74).U16(36).U8(0)}, // 100f
		{"Gone", 0x1505, asm.At(0).U16(0, 0x80).U32(0, 0, 0).U16(0).Text("Gone\x00")},
		{"Either", 0x1506, asm.At(0).U16(0, 0).U32(0).U16(8).Text("Either\x00")},
		{"Colour", 0x1507, asm.At(0).U16(0, 0).U32(0x74, 0).Text("Colour\x00")},
		{"Big", 0x1505, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(0x8004).U32(1 << 20).Text("Big\x00")},
		{"Wide", 0x1609, asm.At(0).U32(0, 0, 0, 0).U16(0, 4).Text("Wide\x00")},
		{"Box*", 0x1002, asm.At(0).U32(0x1000, ptr)}, // 1015
		{"char const*", 0x1002, asm.At(0).U32(0x1017, ptr)},
		{"const char", 0x1001, asm.At(0).U32(0x70).U16(1)},
		{"char const*", 0x1001, asm.At(0).U32(0x670).U16(1)}, // 1018: that of MSVC is a record
		{"?", 0x1519 + 1, asm.At(0)},
		{"Box* const", 0x1001, asm.At(0).U32(0x1015).U16(1)},
		{"Colour[2]", 0x1503, asm.At(0).U32(0x1012, 0x74).U16(8).U8(0)},
		{"void (*)(int, Box const*, ...)[1]", 0x1503, asm.At(0).U32(0x1009, 0x74).U16(8).U8(0)},
		{"Joint", 0x160a, asm.At(0).U32(0, 0).U16(2, 8).Text("Joint\x00")}, // 101d
		{"Face", 0x160b, asm.At(0).U32(0, 0, 0, 0).U16(3, 8).Text("Face\x00")},
		{"Joint[2]", 0x1503, asm.At(0).U32(0x101d, 0x74).U16(16).U8(0)},
		{"Many", 0x1609, asm.At(0).U32(0, 0, 0, 0).U16(0x8004).U32(1 << 17).U16(4).Text("Many\x00")},
		{"Old", 0x1005, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(4).U8(3).Text("Old")}, // of Visual C++ 7.0
		{"Other", 0x150a, asm.At(0).U32(0x1000).Text("Other\x00")},
		{"const Box", 0x1518, asm.At(0).U32(0x1000).U16(2, 2, 1)},
		{"float4", 0x151b, asm.At(0).U32(0x40, 4).U16(16).Text("float4\x00")},
	}
	p := x86(t)
	p.types = nil
	for _, tt := range tests {
		p.types = append(p.types, rec(t, tt.kind, tt.body))
	}
	f := openBytes(t, p.build(t))
	for i, tt := range tests {
		w := typeWriter{f: f, u: &unit{}}
		if w.typ(uint32(0x1000+i), 0); w.b.String() != tt.want || !w.ok() {
			t.Errorf("%#x: %q, want %q (%v)", 0x1000+i, w.b.String(), tt.want, w.err)
		}
	}
}

// TestPrimitives has a name for each size that may be asked for.
func TestPrimitives(t *testing.T) {
	f := openBytes(t, x86(t).build(t))
	for number, want := range map[uint32]string{0x74: "int", 0x474: "int*", 0x674: "int*", 0x3: "void", 0x403: "void*", 0xff: "?", 0x23: "unsigned long long"} {
		w := typeWriter{f: f, u: &unit{}}
		if w.typ(number, 0); w.b.String() != want {
			t.Errorf("%#x: %q, want %q", number, w.b.String(), want)
		}
	}
	for kind, p := range primitives {
		if p.name == "" || p.size == 0 && kind > 3 {
			t.Errorf("%#x: %+v", kind, p)
		}
	}
}

// TestTypesThatNeverEnd has types that consist of themselves, in all ways. The
// function is called by its name alone then.
func TestTypesThatNeverEnd(t *testing.T) {
	list := asm.At(0).U32(200)
	for range 200 {
		list.U32(0x1001)
	}
	tests := map[string][][]byte{
		"pointer": {
			rec(t, 0x1008, asm.At(0).U32(3).U8(0, 0).U16(1).U32(0x1001)),
			rec(t, 0x1201, asm.At(0).U32(1, 0x1002)),
			rec(t, 0x1002, asm.At(0).U32(0x1002, 0x1000c)),
		},
		"modifier": {
			rec(t, 0x1008, asm.At(0).U32(3).U8(0, 0).U16(1).U32(0x1001)),
			rec(t, 0x1201, asm.At(0).U32(1, 0x1002)),
			rec(t, 0x1001, asm.At(0).U32(0x1002).U16(1)),
		},
		"array": {
			rec(t, 0x1008, asm.At(0).U32(3).U8(0, 0).U16(1).U32(0x1001)),
			rec(t, 0x1201, asm.At(0).U32(1, 0x1002)),
			rec(t, 0x1503, asm.At(0).U32(0x1002, 0x74).U16(8).U8(0)),
		},
		"lists of lists": {
			rec(t, 0x1008, asm.At(0).U32(3).U8(0, 0).U16(1).U32(0x1001)),
			rec(t, 0x1201, list),
		},
		"a type that is not there": {
			rec(t, 0x1008, asm.At(0).U32(3).U8(0, 0).U16(1).U32(0x1001)),
			rec(t, 0x1201, asm.At(0).U32(1, 0x2000)),
		},
	}
	for name, types := range tests {
		t.Run(name, func(t *testing.T) {
			p := x86(t)
			p.types = types
			p.modules[0].symbols = symbolRecords()
			addProc(t, p.modules[0].symbols, "f", 0x1000, 1, 0, 0x10)
			if loc, ok := openBytes(t, p.build(t)).Locate(0x1000); !ok || loc.Function != "f" {
				t.Errorf("%+v", loc)
			}
		})
	}
}

// TestMarksThatLie has lists of places that cannot be, and finds every type.
func TestMarksThatLie(t *testing.T) {
	for _, marks := range [][][2]uint32{
		{{0x1001, 0}},
		{{0x1000, 0}, {0x1000, 8}},
		{{0x1000, 0}, {0x1002, 0}},
		{{0x1000, 0}, {0x5000, 8}},
		{{0x1000, 0}, {0x1002, 0xffff0000}},
		{},
	} {
		p := example(t)
		p.marks = marks
		f := openBytes(t, p.build(t))
		loc, _ := f.Locate(0x1000)
		if loc.Function != "main(int, char**)" {
			t.Errorf("%x: %q", marks, loc.Function)
		}
		if notes := strings.Join(f.Notes(), "\n"); len(marks) > 0 && !strings.Contains(notes, "is said to begin at") {
			t.Errorf("%x: notes %q", marks, notes)
		}
	}
}

// TestManyTypes needs several places and reads of the stream.
func TestManyTypes(t *testing.T) {
	for _, honest := range []bool{true, false} {
		p := example(t)
		p.marks = [][2]uint32{{0x1000, 0}}
		size := 0
		for _, r := range p.types {
			size += len(r)
		}
		for i := range 3000 {
			if i%300 == 0 && honest {
				p.marks = append(p.marks, [2]uint32{uint32(0x1000 + len(p.types)), uint32(size)})
			}
			name := "T" + strings.Repeat("x", i%50) + decimal(uint64(i))
			r := rec(t, 0x1505, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(1).Text(name).U8(0))
			p.types, size = append(p.types, r), size+len(r)
		}
		if !honest {
			p.marks = append(p.marks, [2]uint32{0x1001, 0})
		}
		f := openBytes(t, p.build(t))
		for i := range 3000 {
			got, err := f.typeAt(&unit{}, uint32(0x1009+i))
			if want := "T" + strings.Repeat("x", i%50) + decimal(uint64(i)); err != nil || got.name != want {
				t.Fatalf("honest %v, type %d: %q, %v, want %q", honest, i, got.name, err, want)
			}
		}
		if !honest && len(f.types.marks) < 10 {
			t.Errorf("%d places were counted", len(f.types.marks))
		}
	}
}
