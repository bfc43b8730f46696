package pdb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// recordsAt joins records of the stream of global symbols, and says where each begins.
func recordsAt(records ...[]byte) (stream []byte, at []uint32) {
	for _, r := range records {
		at = append(at, uint32(len(stream)))
		stream = append(stream, r...)
	}
	return stream, at
}

// dataRecord is S_GDATA32 or a neighbour of it: DATASYM32 of cvinfo.h.
func dataRecord(t testing.TB, kind uint16, typ, off uint32, sect uint16, name string) []byte {
	s := asm.At(0).U32(typ, off).U16(sect)
	if _, old := oldVariables[kind]; old {
		return rec(t, kind, s.U8(uint8(len(name))).Text(name))
	}
	return rec(t, kind, s.Text(name).U8(0))
}

// publicRecord is S_PUB32: PUBSYM32 of cvinfo.h.
func publicRecord(t testing.TB, sect uint16, off uint32, name string) []byte {
	return rec(t, symPublic, asm.At(0).U32(0, off).U16(sect).Text(name).U8(0))
}

// withRecords is a program for x64 with these records of global symbols.
func withRecords(t testing.TB, records ...[]byte) (*program, []uint32) {
	p := functionScene(t, machineAMD64, func(scene) {})
	stream, at := recordsAt(records...)
	p.extra = map[int][]byte{hasRecords: stream}
	return p, at
}

func everyName(string) bool { return true }

// TestStatics lists the variables of the program that exist once, of every kind of record
// that has one, and evaluates them where the image has them.
func TestStatics(t *testing.T) {
	p, _ := withRecords(t,
		dataRecord(t, symGlobalData, 0x74, 0x10, 2, "n::count"),
		publicRecord(t, 2, 0x10, "?count@n@@3HA"),
		dataRecord(t, symLocalData, 0x74, 0x18, 2, "own"),
		dataRecord(t, symGlobalDataST, 0x74, 0x10, 2, "old"),
		dataRecord(t, symLocalDataST, 0x74, 0x18, 2, "oldown"),
		dataRecord(t, symGlobalTLS, 0x74, 0x10, 2, "thread"),
		dataRecord(t, symLocalTLS, 0x74, 0x10, 2, "ownthread"),
		dataRecord(t, symGlobalData, 0x74, 0x10, 2, ""),
		dataRecord(t, symGlobalData, 0x74, 0x10, 9, "dropped"),
		rec(t, symConstant, asm.At(0).U32(0x74).U16(7).Text("k\x00")),
		dataRecord(t, symGlobalData, 0x1006, 0x20, 2, "q"),
	)
	f := openBytes(t, p.build(t))
	m := captured{0x7000_2010: 41, 0x7000_2018: 42, 0x7000_2020: 2<<32 | 1, 0x7000_2028: 3}
	var got []string
	for _, v := range f.Statics(everyName, 100) {
		place, err := v.Rule.Place(&variables.Eval{Frame: frameAt(f, 0x1010, m)})
		text := fmt.Sprintf("%s %s %s", types.Spell(v.Type.Get()), v.Name, v.Rule)
		if err != nil {
			text += " <" + err.Error() + ">"
		} else {
			text += fmt.Sprintf(" %#x", place.Pieces[0].Addr)
		}
		got = append(got, text)
	}
	want := []string{
		"int n::count S_GDATA32 0002:00000010 0x70002010",
		"int own S_LDATA32 0002:00000018 0x70002018",
		"int old S_GDATA32 0002:00000010 0x70002010",
		"int oldown S_LDATA32 0002:00000018 0x70002018",
		"int thread S_GTHREAD32 0002:00000010 <variables in thread-local storage are not read>",
		"int ownthread S_LTHREAD32 0002:00000010 <variables in thread-local storage are not read>",
		"int dropped S_GDATA32 0009:00000010 <the linker left it out>",
		"Q q S_GDATA32 0002:00000020 0x70002020",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if from := f.Statics(everyName, 1)[0].From; from != "symbol records at 0x0" {
		t.Errorf("the first is from %s", from)
	}
}

// TestStaticsOfUnit has the variables of two object files. The one of a function's file are those whose data the file contributed.
func TestStaticsOfUnit(t *testing.T) {
	p, _ := withRecords(t,
		dataRecord(t, symGlobalData, 0x74, 0x44, 2, "other"),
		dataRecord(t, symLocalData, 0x74, 0x18, 2, "own"),
		dataRecord(t, symGlobalData, 0x74, 0x10, 2, "n::count"),
		dataRecord(t, symGlobalTLS, 0x74, 0x10, 2, "thread"),
		dataRecord(t, symGlobalData, 0x74, 0x0, 2, "before"),
		dataRecord(t, symGlobalData, 0x74, 0x20, 2, "behind"),
		rec(t, symGlobalData, asm.At(0).U16(1)),
	)
	p.modules[0].contribs = append(p.modules[0].contribs, [3]uint32{2, 0x10, 0x10})
	other := p.modules[0]
	other.name, other.symbols, other.contribs = "b.obj", symbolRecords(), [][3]uint32{{2, 0x40, 0x10}, {1, 0x200, 0x10}}
	p.modules = append(p.modules, other)
	f := openBytes(t, p.build(t))
	for _, tt := range []struct {
		rel   uint64
		limit int
		want  string
	}{{0x1010, 9, "n::count own"}, {0x1010, 1, "n::count"}, {0x1010, 0, ""}, {0x1300, 9, ""}, {0x2010, 9, ""}} {
		var names []string
		for _, v := range f.StaticsAt(tt.rel, tt.limit) {
			names = append(names, v.Name)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%#x, up to %d: %q, want %q", tt.rel, tt.limit, got, tt.want)
		}
	}
	empty := x86(t)
	empty.extra = map[int][]byte{streamDBI: nil}
	if got := openBytes(t, empty.build(t)).StaticsAt(0x1010, 9); got != nil {
		t.Errorf("without a program: %+v", got)
	}
}

// TestStaticsMatch gives the first variables whose names are wanted.
func TestStaticsMatch(t *testing.T) {
	var records [][]byte
	for i := range uint32(6) {
		records = append(records, dataRecord(t, symGlobalData, 0x74, 4*i, 2, fmt.Sprint("v", i)))
	}
	p, _ := withRecords(t, records...)
	f := openBytes(t, p.build(t))
	odd := func(name string) bool { return name[1]%2 == 1 }
	for _, tt := range []struct {
		match func(string) bool
		limit int
		want  string
	}{{everyName, 3, "v0 v1 v2"}, {odd, 9, "v1 v3 v5"}, {odd, 2, "v1 v3"}, {everyName, 0, ""}, {func(string) bool { return false }, 9, ""}} {
		var names []string
		for _, v := range f.Statics(tt.match, tt.limit) {
			names = append(names, v.Name)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("up to %d: %q, want %q", tt.limit, got, tt.want)
		}
	}
	empty := x86(t)
	empty.extra = map[int][]byte{streamDBI: nil}
	if got := openBytes(t, empty.build(t)).Statics(everyName, 9); got != nil {
		t.Errorf("without a program: %+v", got)
	}
}

// TestStaticsDamaged has a record that ends too early, and one that is cut off: what is before
// the damage is there.
func TestStaticsDamaged(t *testing.T) {
	p, _ := withRecords(t, dataRecord(t, symGlobalData, 0x74, 0x10, 2, "first"), rec(t, symGlobalData, asm.At(0).U16(1)),
		dataRecord(t, symGlobalData, 0x74, 0x18, 2, "second"), asm.At(0).U16(500, symGlobalData).Build(t))
	f := openBytes(t, p.build(t))
	if got := f.Statics(everyName, 9); len(got) != 2 || got[0].Name != "first" || got[1].Name != "second" {
		t.Errorf("%+v", got)
	}
	notes := strings.Join(f.Notes(), "\n")
	for _, want := range []string{"variable record at 0x1e: need 4 bytes, have 2", "(symbol records) at 0x3a: a symbol record reaches beyond the end, 4 bytes are left"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q, want %q", notes, want)
		}
	}
}

// TestStaticMoved has a variable that a tool that rearranged the program moved, and one that it
// removed.
func TestStaticMoved(t *testing.T) {
	p, _ := withRecords(t, dataRecord(t, symGlobalData, 0x74, 0x10, 2, "moved"), dataRecord(t, symGlobalData, 0x74, 0x40, 2, "removed"))
	p.optional = map[int][]byte{
		optOmapFromSrc:  asm.At(0).U32(0x1000, 0x1000, 0x2000, 0x5000, 0x2040, 0).Build(t),
		optOmapToSource: asm.At(0).U32(0x1000, 0x1000, 0x1400, 0, 0x5000, 0x2000, 0x5040, 0).Build(t),
	}
	f := openBytes(t, p.build(t))
	var got []string
	for _, v := range f.Statics(everyName, 9) {
		place, err := v.Rule.Place(&variables.Eval{Frame: frameAt(f, 0x1010, nil)})
		text := v.Name + " " + errorText(err)
		for _, piece := range place.Pieces {
			text += fmt.Sprintf("%#x", piece.Addr)
		}
		got = append(got, text)
	}
	if want := []string{"moved 0x70005010", "removed the code and data were rearranged without it"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestData finds the data that an address lies in by the linker's names of data:
// Microsoft's and those of the Itanium C++ ABI.
func TestData(t *testing.T) {
	p, _ := withRecords(t, publicRecord(t, 2, 0x40, "?data@@3HA"), publicRecord(t, 2, 0x10, "??_7Box@geo@@6B@"),
		rec(t, symPublicST, asm.At(0).U32(0, 0x50).U16(2).U8(12).Text("??_7Old@@6B@")), // of Visual C++ 7.0
		publicRecord(t, 2, 0x30, "_ZTV3Box"), publicRecord(t, 1, 0x20, "??_7code@@6B@"), publicRecord(t, 9, 0, "??_7nowhere@@6B@"),
		publicRecord(t, 2, 0x60, "??_7One@@6B@"), publicRecord(t, 2, 0x60, "??_7Two@@6B@"))
	f := openBytes(t, p.build(t))
	for range 2 { // the second time from memory
		for rel, want := range map[uint64]string{
			0x1020: " 0x0", 0x200f: " 0x0", 0x2010: "??_7Box@geo@@6B@ 0x2010", 0x202f: "??_7Box@geo@@6B@ 0x2010", 0x2030: "_ZTV3Box 0x2030",
			0x2040: "?data@@3HA 0x2040", 0x2044: " 0x0" /* how large it is, is not known */, 0x2050: "??_7Old@@6B@ 0x2050", 0x2058: "??_7Old@@6B@ 0x2050",
			0x2060: " 0x0", 0x2070: " 0x0", // it is of two classes
			1 << 32: " 0x0",
		} {
			name, start := f.DataAt(rel)
			if got := fmt.Sprintf("%s %#x", name, start); got != want {
				t.Errorf("%#x: %s, want %s", rel, got, want)
			}
		}
	}
	empty := x86(t)
	empty.extra = map[int][]byte{streamDBI: nil}
	if name, _ := openBytes(t, empty.build(t)).DataAt(0x2010); name != "" {
		t.Errorf("without a program: %s", name)
	}
}

// TestVtableMoved asks for a vtable of a program that was rearranged: where it begins is an
// address of the image.
func TestVtableMoved(t *testing.T) {
	p, _ := withRecords(t, publicRecord(t, 2, 0x10, "??_7Box@@6B@"))
	p.optional = map[int][]byte{
		optOmapFromSrc:  asm.At(0).U32(0x1000, 0x1000, 0x2000, 0x5000, 0x2040, 0).Build(t),
		optOmapToSource: asm.At(0).U32(0x1000, 0x1000, 0x1400, 0, 0x5000, 0x2000, 0x5040, 0x8000_0000, 0x5048, 0x2040, 0x5080, 0).Build(t),
	}
	f := openBytes(t, p.build(t))
	for rel, want := range map[uint64]string{0x5018: "??_7Box@@6B@ 0x5010", 0x5044: " 0x0" /* added */, 0x2018: " 0x0", 0x6000: " 0x0"} {
		name, start := f.DataAt(rel)
		if got := fmt.Sprintf("%s %#x", name, start); got != want {
			t.Errorf("%#x: %s, want %s", rel, got, want)
		}
	}
}
