package pdb

import (
	"slices"
	"strings"
	"testing"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// TestSectionOf finds the section of an address, by the larger of its sizes in memory and in
// the file, as the headers have them.
func TestSectionOf(t *testing.T) {
	header := func(start, memory, file, flags uint32) *asm.Section {
		return asm.At(0).Text(".section").U32(memory, start, file).Zeros(16).U32(flags)
	}
	in := asm.At(0).Append(header(0x1000, 0x123, 0x200, codeFlags)).Append(header(0x2000, 0x456, 0x100, dataFlags)).Append(header(0xffff_f000, 0x2000, 0, 0x2000_0000))
	list := parseSections(bin.NewCursor("sections", 0, in.Build(t)))
	a := addressMap{sections: list, image: list}
	for rva, want := range map[uint32]int{0: 0, 0xfff: 0, 0x1000: 1, 0x11ff: 1, 0x1200: 0, 0x1fff: 0, 0x2000: 2, 0x2455: 2, 0x2456: 0, 0xffff_efff: 0,
		0xffff_f000: 3, 0xffff_fffe: 3} {
		if got := a.sectionOf(rva); got != want {
			t.Errorf("%#x is in section %d, want %d", rva, got, want)
		}
	}
	var code []bool
	for sect := range uint16(5) {
		code = append(code, a.isCode(sect))
	}
	if want := []bool{false, true, false, true, false}; !slices.Equal(code, want) {
		t.Errorf("code is in %v, want %v", code, want)
	}
	if got := a.imageSize(); got != 0x1_0000_1000 {
		t.Errorf("the image has %#x bytes", got)
	}
	if got := (&addressMap{}).sectionOf(0x1000); got != 0 {
		t.Errorf("without headers: section %d", got)
	}
}

// TestManySections has as many sections as records can name, and asks for addresses of the
// last ones: the time does not grow with their number.
func TestManySections(t *testing.T) {
	took := func(sections int) time.Duration {
		a := addressMap{sections: make([]section, sections)}
		for i := range a.sections {
			a.sections[i] = section{start: uint32(i) * 0x1000, size: 0x1000}
		}
		begin := time.Now()
		for i := range 200_000 {
			n := sections - i%7
			if got := a.sectionOf(uint32(n-1)*0x1000 + 5); got != n {
				t.Fatalf("section %d, want %d", got, n)
			}
		}
		return time.Since(begin)
	}
	small, large := took(100), took(0xffff)
	if large > 50*small+time.Second {
		t.Errorf("100 sections take %v, 65,535 take %v", small, large)
	}
}

// TestMoreSectionsThanNumbers has more headers than records have numbers for.
func TestMoreSectionsThanNumbers(t *testing.T) {
	list := parseSections(bin.NewCursor("sections", 0, make([]byte, sectionSize*(maxSections+5))))
	if len(list) != maxSections {
		t.Errorf("%d sections, want %d", len(list), maxSections)
	}
}

// TestAddressesWithoutOMAP are what they are: an internal address is one of the image.
func TestAddressesWithoutOMAP(t *testing.T) {
	a := &addressMap{}
	for rel, want := range map[uint64]bool{0: true, 0x1234: true, 1<<32 - 1: true, 1 << 32: false, 1 << 63: false} {
		if rva, added, ok := a.internal(rel); ok != want || added || ok && uint64(rva) != rel {
			t.Errorf("%#x: %#x, %v, %v", rel, rva, added, ok)
		}
	}
	for rel, want := range map[uint64]bool{0xfff: false, 0x1000: true, 0x10ff: true, 0x1100: false, 0x1_0000_1000: false} {
		if p, ok := a.piece(0x1000, 0x1100, rel); ok != want || p.start != 0x1000 || p.end != 0x1100 {
			t.Errorf("%#x: %+v, %v", rel, p, ok)
		}
	}
	if got := spelled(a.pieces(0x1000, 0x1100)); got != " 1000-1100" {
		t.Errorf("%s", got)
	}
	list := []piece{{start: 0x10, end: 0x20}, {start: 0x30, end: 0x40}}
	for rel, want := range map[uint64]string{0xf: "", 0x10: " 10-20", 0x1f: " 10-20", 0x20: "", 0x30: " 30-40", 0x3f: " 30-40", 0x40: "", 1<<32 + 0x10: ""} {
		got := ""
		if p, ok := pieceAt(list, rel); ok {
			got = spelled([]piece{p})
		}
		if got != want {
			t.Errorf("%#x is in%s, want%s", rel, got, want)
		}
	}
	for _, tt := range []struct{ start, size, want uint32 }{{0, 0, 0}, {0x1000, 0x10, 0x1010}, {0xffff_fff0, 0xf, 0xffff_ffff}, {0xffff_fff0, 0x10, 0xffff_ffff}, {0xffff_fff0, 0xffff_ffff, 0xffff_ffff}} {
		if got := endOf(tt.start, tt.size); got != tt.want {
			t.Errorf("%#x bytes at %#x end at %#x, want %#x", tt.size, tt.start, got, tt.want)
		}
	}
}

// TestEmptyOMAP has streams for the tables that are empty, and headers of the original
// sections that are: nothing was rearranged.
//
// Source: MapAddressRange in src/common/windows/omap.cc of Breakpad, the trivial case.
func TestEmptyOMAP(t *testing.T) {
	for _, tt := range []struct {
		name     string
		optional map[int][]byte
		want     string
		note     string
	}{
		{"both tables", map[int][]byte{optOmapFromSrc: {}, optOmapToSource: {}}, "asm", ""},
		{"and the old headers", map[int][]byte{optOmapFromSrc: {}, optOmapToSource: {}, optOldSections: {}}, "asm", ""},
		{"old headers that nothing needs", map[int][]byte{optOldSections: asm.At(0).Zeros(80).Build(t)}, "asm", ""},
		{"one table", map[int][]byte{optOmapFromSrc: {}, optOmapToSource: asm.At(0).U32(0x1000, 0x1000).Build(t)}, "-", "only one of the two tables is there"},
		{"a table that is not sorted", map[int][]byte{optOmapFromSrc: asm.At(0).U32(0x1000, 0x1000).Build(t), optOmapToSource: asm.At(0).U32(0x1000, 0x1000, 0x800, 0).Build(t)}, "-",
			"(OMAP to source) at 0x10: address 0x800 follows 0x1000"},
		{"the other one", map[int][]byte{optOmapToSource: asm.At(0).U32(0x1000, 0x1000).Build(t), optOmapFromSrc: asm.At(0).U32(0x1000, 0x1000, 0x800, 0).Build(t)}, "-",
			"(OMAP from source) at 0x10: address 0x800 follows 0x1000"},
	} {
		p := x86(t)
		p.optional = tt.optional
		f := openBytes(t, p.build(t))
		if got := located(f, 0x1034); got[0] != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got[0], tt.want)
		}
		if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: %q, want %q", tt.name, notes, tt.note)
		}
	}
}
