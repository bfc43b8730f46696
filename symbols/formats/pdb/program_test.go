package pdb

import (
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/symbolsource"
)

// Types of the example, in the order of their numbers.
func exampleTypes(t testing.TB) [][]byte {
	return [][]byte{
		rec(t, 0x1201, asm.At(0).U32(2, 0x74, 0x1002)),                                     // 1000 (int, char**)
		rec(t, 0x1008, asm.At(0).U32(0x74).U8(0, 0).U16(2).U32(0x1000)),                    // 1001 int ()(1000)
		rec(t, 0x1002, asm.At(0).U32(0x670, 0x1000c)),                                      // 1002 char**
		rec(t, 0x1505, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(8).Text("geo::Box\x00")),       // 1003
		rec(t, 0x1001, asm.At(0).U32(0x1003).U16(1)),                                       // 1004 Box const
		rec(t, 0x1002, asm.At(0).U32(0x1004, 0x1000c)),                                     // 1005 Box const*
		rec(t, 0x1002, asm.At(0).U32(0x1004, 0x1002c)),                                     // 1006 Box const&
		rec(t, 0x1201, asm.At(0).U32(1, 0x1006)),                                           // 1007
		rec(t, 0x1009, asm.At(0).U32(0x30, 0x1003, 0x1005).U8(0, 0).U16(1).U32(0x1007, 0)), // 1008 bool Box::()(Box const&) const
	}
}

// example is a program for x64 whose functions and lines the tests know:
//
//	1000 main(int, char**)                 a.cpp 10
//	1010   geo::Box::inside inlined        box.h 5
//	1014     geo::min inlined in that      box.h 21
//	1018   inside again                    box.h 6
//	1020 main again, after a hidden line   a.cpp 13
//	1040 end
//	1050 copy, without types: assembly, also called move
//	1060 end; 1060 to 1070 is between two pieces
//	1070 ?pub@@YAXXZ, a symbol only
//	1100 main's cold part                  a.cpp 12
//	1110 end
func example(t testing.TB) *program {
	p := &program{
		machine:  machineAMD64,
		sections: [][3]uint32{{0x1000, 0x400, codeFlags}, {0x2000, 0x100, dataFlags}},
		types:    exampleTypes(t),
		ids: [][]byte{
			rec(t, 0x1602, asm.At(0).U32(0x1003, 0x1008).Text("inside\x00")), // 1000
			rec(t, 0x1605, asm.At(0).U32(0).Text("geo\x00")),                 // 1001
			rec(t, 0x1601, asm.At(0).U32(0x1001, 0x1001).Text("min\x00")),    // 1002
		},
		text: []string{"a.cpp", "box.h"},
		publics: []symbolAt{
			{"main", 1, 0}, {"move", 1, 0x50}, {"copy", 1, 0x50}, {"?pub@@YAXXZ", 1, 0x70}, {"table", 2, 0x10},
		},
	}
	sym := symbolRecords()
	addProc(t, sym, "main", 0x1001, 1, 0, 0x40)
	// Rows at 1010 of line 5, 1018 of line 6, up to 1020.
	addInline(t, sym, 0x1000, 3, 0x10, 11, 1<<5|8, 4, 8)
	// A row at 1014 of line 20+1, of 4 bytes.
	addInline(t, sym, 0x1002, 6, 2, 12, 4, 0x14)
	addEnd(t, sym, 0x114e)
	addEnd(t, sym, 0x114e)
	addEnd(t, sym, 6)
	addSeparated(t, sym, "main", 1, 0x100, 0x10)
	files := checksums(t, p.nameAt("a.cpp"), p.nameAt("box.h"))
	c13 := asm.At(0).Bytes(files).
		Bytes(linesOf(t, 1, 0, 0x40, 0, 0, 10, 0x10, 11, 0x20, 13, 0x30, 0xfeefee)).
		Bytes(linesOf(t, 1, 0x100, 0x10, 0, 0, 12)).
		Bytes(sub(t, 0xf6, asm.At(0).U32(0, 0x1000, 8, 5, 0x1002, 8, 20)))
	asmSym := symbolRecords()
	addProc(t, asmSym, "copy", 0, 1, 0x50, 0x10)
	addEnd(t, asmSym, 6)
	linker := symbolRecords()
	linker.Bytes(rec(t, 0x113d, asm.At(0).U8(0).Text("exe\x00link.exe\x00pdb\x00C:\\out\\example.pdb\x00\x00")))
	p.modules = []object{
		{"a.obj", sym, c13, [][3]uint32{{1, 0, 0x40}, {1, 0x100, 0x10}}},
		{"copy.obj", asmSym, asm.At(0), [][3]uint32{{1, 0x50, 0x10}}},
		{"pub.obj", asm.At(0), asm.At(0), [][3]uint32{{1, 0x70, 0x10}}},
		{linkerModule, linker, asm.At(0), nil},
	}
	return p
}

// mainAt is the answer for an address in main.
func mainAt(line uint32, start uint64, inlines ...symbolize.Inline) symbolize.Location {
	return symbolize.Location{Function: "main(int, char**)", Start: 0x1000, Size: 0x40,
		File: "a.cpp", Line: line, LineStart: start, Inlines: inlines}
}

func exampleAnswers() []symbolsource.Known {
	inside := func(line uint32) symbolize.Inline {
		return symbolize.Inline{Function: "geo::Box::inside(geo::Box const&) const", File: "box.h", Line: line}
	}
	least := symbolize.Inline{Function: "geo::min(int, char**)", File: "box.h", Line: 21}
	cold := symbolize.Location{Function: "main(int, char**)", Start: 0x1100, Size: 0x10, File: "a.cpp", Line: 12, LineStart: 0x1100}
	plain := symbolize.Location{Function: "copy", Start: 0x1050, Size: 0x10, Multiple: true}
	public := symbolize.Location{Function: "?pub@@YAXXZ", Start: 0x1070, Public: true}
	return []symbolsource.Known{
		{Rel: 0xfff, None: true},
		{Rel: 0x1000, Location: mainAt(10, 0x1000)},
		{Rel: 0x100f, Location: mainAt(10, 0x1000)},
		{Rel: 0x1010, Location: mainAt(11, 0x1010, inside(5))},
		{Rel: 0x1014, Location: mainAt(11, 0x1014, least, inside(5))},
		{Rel: 0x1017, Location: mainAt(11, 0x1014, least, inside(5))},
		{Rel: 0x1018, Location: mainAt(11, 0x1018, inside(6))},
		{Rel: 0x1020, Location: mainAt(13, 0x1020)},
		{Rel: 0x103f, Location: mainAt(13, 0x1020)},
		{Rel: 0x1040, None: true},
		{Rel: 0x1050, Location: plain},
		{Rel: 0x105f, Location: plain},
		{Rel: 0x1060, None: true},
		{Rel: 0x1070, Location: public},
		{Rel: 0x10ff, Location: public},
		{Rel: 0x1100, Location: cold},
		{Rel: 0x1110, None: true},
		{Rel: 0x2010, None: true},
	}
}

func TestExample(t *testing.T) {
	data := example(t).build(t)
	symbolsource.Test(t, symbolsource.Suite{
		Open:  func(t *testing.T) symbolsource.Source { return openBytes(t, data) },
		Known: exampleAnswers(),
		Top:   0x2200,
	})
	f := openBytes(t, data)
	for _, k := range exampleAnswers() {
		f.Locate(k.Rel)
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
}

// TestForgetful asks everything of a file that can keep next to nothing.
func TestForgetful(t *testing.T) {
	f := openBytes(t, example(t).build(t))
	f.units.Limit, f.bodies.Limit, f.inline.Limit = 1, 1, 1
	for range 2 {
		for _, k := range exampleAnswers() {
			loc, ok := f.Locate(k.Rel)
			if ok == k.None || loc.Function != k.Location.Function || loc.Line != k.Location.Line {
				t.Errorf("%#x: %+v, want %+v", k.Rel, loc, k.Location)
			}
		}
	}
}

func TestExampleModule(t *testing.T) {
	p := example(t)
	p.dbiAge = 0x1f
	got := openBytes(t, p.build(t)).Module()
	if got.DebugID != "33221100554477668899AABBCCDDEEFF1f" || got.DebugFile != "example.pdb" || got.Arch != "amd64" || got.Size != 0x3000 {
		t.Errorf("%+v", got)
	}
}
