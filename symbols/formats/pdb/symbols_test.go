package pdb

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// located are the functions at some addresses, "-" where there is none.
func located(f *File, addrs ...uint64) (out []string) {
	for _, rel := range addrs {
		loc, ok := f.Locate(rel)
		if !ok {
			loc.Function = "-"
		}
		if loc.Multiple {
			loc.Function += " m"
		}
		out = append(out, loc.Function)
	}
	return out
}

// TestKindsOfFunctions has each kind of record that code has.
func TestKindsOfFunctions(t *testing.T) {
	p := example(t)
	sym := symbolRecords()
	at := uint32(0)
	proc := func(kind uint16, typ uint32, name *asm.Section) {
		sym.Bytes(rec(t, kind, asm.At(0).U32(0, 0, 0, 0x10, 0, 0, typ, at).U16(1).U8(0).Append(name)))
		addEnd(t, sym, 6)
		at += 0x10
	}
	text := func(s string) *asm.Section { return asm.At(0).Text(s).U8(0) }
	proc(0x1110, 0, text("global"))
	proc(0x110f, 0, text("local"))
	proc(0x1147, 0x1000, text("Box::byID"))
	proc(0x100b, 0, asm.At(0).U8(3).Text("old"))
	proc(0x1155, 0, text("dpc"))
	proc(0x1110, 0, text(""))
	proc(0x112a, 0, text("managed")) // .NET code: its addresses are made at run time
	p.modules = []object{{"a.obj", sym, asm.At(0), [][3]uint32{{1, 0, 0x80}}}}
	p.publics = nil
	f := openBytes(t, p.build(t))
	want := []string{"global", "local", "Box::byID(geo::Box const&) const", "old", "dpc", omitted, "-"}
	if got := located(f, 0x1000, 0x1010, 0x1020, 0x1030, 0x1040, 0x1050, 0x1060); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBlocks has a scope whose code is away from its function, one whose code
// is inside, and one in no function.
func TestBlocks(t *testing.T) {
	p := example(t)
	sym := symbolRecords()
	block := func(off, size uint32) {
		sym.Bytes(rec(t, 0x1103, asm.At(0).U32(uint32(sym.Addr("f")), 0, size, off).U16(1).U8(0)))
		addEnd(t, sym, 6)
	}
	addProc(t, sym, "f", 0, 1, 0, 0x20)
	block(0x08, 8)
	block(0x20, 8)
	addEnd(t, sym, 6)
	p.modules = []object{{"a.obj", sym, asm.At(0), [][3]uint32{{1, 0, 0x80}}}}
	p.publics = nil
	f := openBytes(t, p.build(t))
	for rel, want := range map[uint64]symbolize.Location{
		0x1008: {Function: "f", Start: 0x1000, Size: 0x20},
		0x1024: {Function: "f", Start: 0x1020, Size: 8},
	} {
		if got, ok := f.Locate(rel); !ok || got.Function != want.Function || got.Start != want.Start || got.Size != want.Size {
			t.Errorf("%#x: %+v, want %+v", rel, got, want)
		}
	}
	if got := located(f, 0x1028); got[0] != "-" {
		t.Errorf("behind the block: %q", got)
	}
}

// TestFolded has two functions with the same code in one module, two names for
// an address, and `vector deleting destructor', which is none.
func TestFolded(t *testing.T) {
	p := example(t)
	sym := symbolRecords()
	for _, fn := range []struct {
		name string
		off  uint32
	}{{"first", 0}, {"second", 0}, {"two", 0x10}, {"dtor", 0x20}} {
		addProc(t, sym, fn.name, 0, 1, fn.off, 0x10)
		addEnd(t, sym, 6)
	}
	p.modules = []object{{"a.obj", sym, asm.At(0), [][3]uint32{{1, 0, 0x80}}}}
	p.publics = []symbolAt{{"two", 1, 0x10}, {"three", 1, 0x10}, {"??_EBox@@UAEPAXI@Z", 1, 0x20}, {"??_GBox@@UAEPAXI@Z", 1, 0x20},
		{"__real@3f800000", 1, 0x40}, {"x", 1, 0x40}, {"y", 1, 0x50}, {"z", 1, 0x50}}
	f := openBytes(t, p.build(t))
	want := []string{"first m", "two m", "??_GBox@@UAEPAXI@Z", "x", "y m"}
	if got := located(f, 0x1000, 0x1010, 0x1020, 0x1040, 0x1050); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoContributions finds functions all the same, by reading all modules.
func TestNoContributions(t *testing.T) {
	p := example(t)
	for i := range p.modules {
		p.modules[i].contribs = nil
	}
	f := openBytes(t, p.build(t))
	want := []string{"main(int, char**)", "copy m", "main(int, char**)", "?pub@@YAXXZ"}
	if got := located(f, 0x1010, 0x1050, 0x1100, 0x1070); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestContributionsOfOtherModules lets no module answer for another's code.
func TestContributionsOfOtherModules(t *testing.T) {
	p := example(t)
	p.modules[0].contribs, p.modules[1].contribs = p.modules[1].contribs, p.modules[0].contribs
	p.publics = nil
	if got := located(openBytes(t, p.build(t)), 0x1000, 0x1050, 0x1100); !slices.Equal(got, []string{"-", "-", "-"}) {
		t.Errorf("%q", got)
	}
}

// TestInlineSite2 has the record of newer compilers, and a call within a scope.
func TestInlineSite2(t *testing.T) {
	p := example(t)
	sym := symbolRecords()
	addProc(t, sym, "main", 0x1001, 1, 0, 0x40)
	sym.Bytes(rec(t, 0x1103, asm.At(0).U32(4, 0, 0x20, 0).U16(1).U8(0)))
	sym.Bytes(rec(t, 0x115d, asm.At(0).U32(0, 0, 0x1000, 7).U8(3, 0x10, 4, 8)))
	addEnd(t, sym, 0x114e)
	addEnd(t, sym, 6)
	addEnd(t, sym, 6)
	p.modules[0].symbols = sym
	loc, _ := openBytes(t, p.build(t)).Locate(0x1014)
	if len(loc.Inlines) != 1 || !strings.HasPrefix(loc.Inlines[0].Function, "geo::Box::inside") || loc.Inlines[0].Line != 5 || loc.LineStart != 0x1010 {
		t.Errorf("%+v", loc)
	}
}

// TestListedInlines has the calls of the example, as a .sym file would.
func TestListedInlines(t *testing.T) {
	var got []symbolize.InlineCall
	for _, fn := range listing(t, openBytes(t, example(t).build(t))).functions {
		got = append(got, fn.Inlines...)
	}
	want := []symbolize.InlineCall{
		{Depth: 0, Function: "geo::Box::inside(geo::Box const&) const", CallFile: "a.cpp", CallLine: 11, Ranges: []symbolize.Range{{Start: 0x1010, Size: 0x10}}},
		{Depth: 1, Function: "geo::min(int, char**)", CallFile: "box.h", CallLine: 5, Ranges: []symbolize.Range{{Start: 0x1014, Size: 4}}},
	}
	if !slices.EqualFunc(got, want, func(a, b symbolize.InlineCall) bool {
		return a.Depth == b.Depth && a.Function == b.Function && a.CallFile == b.CallFile && a.CallLine == b.CallLine && slices.Equal(a.Ranges, b.Ranges)
	}) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
