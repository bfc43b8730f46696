package pdb

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// spelled writes the runs of pieces: start-end of each.
func spelled(list []piece) (out string) {
	for _, p := range list {
		out += fmt.Sprintf(" %x-%x", p.start, p.end)
	}
	return out
}

// TestOMAPRanges has the examples of Breakpad's omap.cc and omap_unittest.cc: a
// program of 0x2000 bytes, and what a range of it became.
func TestOMAPRanges(t *testing.T) {
	const nowhere, none = 0x8000_0000, 0xffff_ffff
	for _, tt := range []struct {
		name       string
		toSource   []omapEntry
		start, end uint32
		want       string
	}{
		{"stays", []omapEntry{{0x1000, 0x1000}}, 0x1000, 0x100a, " 1000-100a"},
		{"code added inside", []omapEntry{{0x1000, 0x1000}, {0x1005, none}, {0x100a, 0x1005}}, 0x1000, 0x100a, " 1000-100f"},
		{"code added, by another tool", []omapEntry{{0x1000, 0x1000}, {0x1005, nowhere}, {0x100a, 0x1005}}, 0x1000, 0x100a, " 1000-100f"},
		{"code added that belongs to what follows", []omapEntry{{0x1000, 0x1000}, {0x1005, 0x1005}, {0x100a, 0x1005}}, 0x1000, 0x100a, " 1000-100f"},
		{"code added behind", []omapEntry{{0x1000, 0x1000}, {0x100a, none}, {0x1010, 0x100a}}, 0x1000, 0x100a, " 1000-100a"},
		{"code added before", []omapEntry{{0x1000, none}, {0x1010, 0x1000}}, 0x1000, 0x100a, " 1010-101a"},
		{"split", []omapEntry{{0x1000, 0x1000}, {0x1005, 0x1100}, {0x1010, 0x1005}, {0x101b, 0x110b}}, 0x1000, 0x100a, " 1000-1005 1010-1015"},
		{"split and swapped", []omapEntry{{0x1000, 0x1005}, {0x1005, 0x1000}, {0x100a, 0x100a}}, 0x1000, 0x100a, " 1000-100a"},
		{"a part removed", []omapEntry{{0x1000, 0x1000}, {0x1004, 0x1006}, {0x1008, 0x100a}}, 0x1000, 0x100a, " 1000-1008"},
		{"all removed", []omapEntry{{0x1000, 0x1000}, {0x1004, 0x1020}}, 0x1004, 0x1020, ""},
		{"over a place that is not known", []omapEntry{{0x1000, 0x1000}, {0x1005, 0}, {0x100a, 0x1005}}, 0x1000, 0x100a, " 1000-1005 100a-100f"},
		{"the first byte of what was split", []omapEntry{{0x1000, 0x1000}, {0x1005, 0x1000}, {0x100a, 0x1005}}, 0x1000, 0x1001, " 1000-1001 1005-1006"},
		{"up to the end of the program", []omapEntry{{0x1000, 0x1ff0}}, 0x1ff0, 0x2010, " 1000-1010"},
		{"nothing", []omapEntry{{0x1000, 0x1000}}, 0x1008, 0x1008, ""},
	} {
		m := newMapping([]omapEntry{{0x1000, 0x1000}}, tt.toSource, 0x2000)
		if got := spelled(m.pieces(tt.start, tt.end)); got != tt.want {
			t.Errorf("%s:%s, want%s", tt.name, got, tt.want)
		}
	}
}

// TestOMAPAdded asks for addresses of added code: it has the internal address of
// the byte before.
func TestOMAPAdded(t *testing.T) {
	m := newMapping([]omapEntry{{0x1000, 0x1000}}, []omapEntry{{0x1000, 0x1000}, {0x1005, 0x8000_0000}, {0x100a, 0x1005}, {0x1010, 0}, {0x1020, 0x1100}}, 0x2000)
	for _, tt := range []struct {
		rel, rva  uint32
		added, ok bool
	}{
		{rel: 0xfff, rva: 0xfff, ok: true}, // the headers stay
		{rel: 0x1004, rva: 0x1004, ok: true}, {rel: 0x1005, rva: 0x1004, added: true, ok: true},
		{rel: 0x1009, rva: 0x1004, added: true, ok: true}, {rel: 0x100a, rva: 0x1005, ok: true},
		{rel: 0x1010, rva: 0}, {rel: 0x101f, rva: 0}, {rel: 0x1020, rva: 0x1100, ok: true},
		{rel: 0x1f1f, rva: 0x1fff, ok: true}, {rel: 0x1f20, rva: 0},
	} {
		if rva, added, ok := m.internal(tt.rel); rva != tt.rva || added != tt.added || ok != tt.ok {
			t.Errorf("%#x: %#x, %v, %v, want %+v", tt.rel, rva, added, ok, tt)
		}
	}
}

// TestOMAPWork counts the runs that are looked at when every function claims to be
// the whole program.
func TestOMAPWork(t *testing.T) {
	var table []omapEntry
	for i := range uint32(1 << 16) {
		table = append(table, omapEntry{0x1000 + 2*i, 0x1000 + i})
	}
	m := newMapping(table, table, 1<<30)
	for range 1 << 12 {
		m.pieces(0, 1<<30)
		if m.work.Exceeded() {
			return
		}
	}
	t.Error("nothing stops it")
}

func TestOMAPOrder(t *testing.T) {
	_, err := parseOMAP(bin.NewCursor("OMAP", 0, asm.At(0).U32(0x20, 1, 0x10, 2).Build(t)))
	if errorText(err) != "OMAP at 0x10: address 0x10 follows 0x20" {
		t.Errorf("%v", err)
	}
}

// TestOMAPStretched has a function that code was added to, as Syzygy does to
// count what is executed, and a symbol without a function that was split:
//
//	1000 takes(int, int64_t)  10 bytes at 3000 and 10 more at 3018; 8 added between them
//	1080 _under               8 bytes at 3040, the rest at 3050
func TestOMAPStretched(t *testing.T) {
	p := x86(t)
	p.modules[0].contribs = [][3]uint32{{1, 0, 0x20}, {1, 0x80, 0x20}}
	p.modules[0].c13 = asm.At(0).Bytes(checksums(t, p.nameAt(byFrame+" "))).Bytes(linesOf(t, 1, 0, 0x10, 0, 0, 7, 4, 8))
	p.optional[optOldSections] = p.sectionStream(t)
	p.sections = [][3]uint32{{0x3000, 0x100, codeFlags}}
	p.optional[optOmapFromSrc] = asm.At(0).U32(0x1000, 0x3000, 0x1008, 0x3010, 0x1080, 0x3040, 0x1088, 0x3050).Build(t)
	p.optional[optOmapToSource] = asm.At(0).U32(
		0x3000, 0x1000, 0x3008, 0x8000_0000, 0x3010, 0x1008, 0x3018, 0x8000_0000,
		0x3040, 0x1080, 0x3048, 0x8000_0000, 0x3050, 0x1088, 0x3060, 0x8000_0000).Build(t)
	f := openBytes(t, p.build(t))
	for rel, want := range map[uint64]string{
		0x2fff: "", 0x3000: "takes(int, int64_t) 3000 18 7", 0x3004: "takes(int, int64_t) 3000 18 8",
		0x3008: "takes(int, int64_t) 3000 18 0", 0x3017: "takes(int, int64_t) 3000 18 8", 0x3018: "",
		0x3044: "under 3040 0 0", 0x3054: "under 3050 0 0",
	} {
		got := ""
		if loc, ok := f.Locate(rel); ok {
			got = fmt.Sprintf("%s %x %x %d", loc.Function, loc.Start, loc.Size, loc.Line)
		}
		if got != want {
			t.Errorf("%#x: %q, want %q", rel, got, want)
		}
	}
	l := listing(t, f)
	var lines, publics []string
	for _, line := range l.functions[0].Lines {
		lines = append(lines, fmt.Sprintf("%x %x %d", line.Start, line.Size, line.Line))
	}
	for _, pub := range l.publics {
		publics = append(publics, fmt.Sprintf("%s %x", pub.Name, pub.Start))
	}
	if want := []string{"3000 4 7", "3004 14 8"}; !slices.Equal(lines, want) {
		t.Errorf("lines %q, want %q", lines, want)
	}
	if want := []string{"under 3040", "under 3050"}; !slices.Equal(publics, want) {
		t.Errorf("publics %q, want %q", publics, want)
	}
}

// A file whose functions overlap without end says that some of its code has no names.
func TestOMAPWorkIsSaid(t *testing.T) {
	p := x86(t)
	p.optional[optOldSections] = p.sectionStream(t)
	p.sections = [][3]uint32{{0x3000, 0x100, codeFlags}}
	p.optional[optOmapFromSrc] = asm.At(0).U32(0x1000, 0x3000).Build(t)
	p.optional[optOmapToSource] = asm.At(0).U32(0x3000, 0x1000).Build(t)
	f := openBytes(t, p.build(t))
	const note = "the OMAP tables: the code of functions overlaps so often that not all of it was looked for; what is left out has no names"
	if slices.Contains(f.Notes(), note) {
		t.Errorf("before any work: %q", f.Notes())
	}
	f.addr.omap.work.Spend(1 << 62)
	if !slices.Contains(f.Notes(), note) || !slices.Contains(f.Notes(), note) || len(f.Notes()) != 1 {
		t.Errorf("%q, want %q", f.Notes(), note)
	}
}
