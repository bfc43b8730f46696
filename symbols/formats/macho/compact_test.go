package macho

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
)

// twoPages is __unwind_info with a compressed page, one for code that needs no
// unwinding, and a regular one.
func twoPages() *asm.Section {
	return asm.At(0).U32(1).
		Ref32("common").U32(2).
		Ref32("personality").U32(0).
		Ref32("index").U32(4).
		Mark("common").U32(0xc0, 0xc1).
		Mark("personality").
		Mark("index").
		U32(0x1000).Ref32("first").U32(0).
		U32(0x2000, 0, 0).
		U32(0x3000).Ref32("third").U32(0).
		U32(0x4000, 0, 0).
		Mark("first").U32(3).U16(12, 3, 24, 1).
		U32(0x00_000000, 0x02_000010, 0x01_000020). // encodings 0, 2, 1 and addresses
		U32(0xaa).
		Mark("third").U32(2).U16(8, 2).
		U32(0x3000, 0xb0, 0x3800, 0xb1)
}

func readUnwindInfo(t testing.TB, data []byte) (*compact, []string) {
	m := someImage(t)
	m.unwind = data
	f := m.open(t)
	return f.compact(), f.Notes()
}

func TestCompactPages(t *testing.T) {
	c, notes := readUnwindInfo(t, twoPages().Build(t))
	want := []entry{{0x1000, 0xc0}, {0x1010, 0xaa}, {0x1020, 0xc1}, {0x2000, 0}, {0x3000, 0xb0}, {0x3800, 0xb1}}
	if !slices.Equal(c.entries, want) || c.end != 0x4000 || len(notes) > 0 {
		t.Errorf("%x up to %#x, %q", c.entries, c.end, notes)
	}
	for _, tt := range []struct {
		rel      uint64
		encoding uint32
		end      uint64
		ok       bool
	}{
		{rel: 0xfff, encoding: 0, end: 0}, {rel: 0x1000, encoding: 0xc0, end: 0x1010, ok: true},
		{rel: 0x100f, encoding: 0xc0, end: 0x1010, ok: true}, {rel: 0x1010, encoding: 0xaa, end: 0x1020, ok: true},
		{rel: 0x1fff, encoding: 0xc1, end: 0x2000, ok: true},
		{rel: 0x2000, encoding: 0, end: 0x3000, ok: true}, {rel: 0x3fff, encoding: 0xb1, end: 0x4000, ok: true},
		{rel: 0x4000, encoding: 0, end: 0}, {rel: 1<<32 + 0x1000, encoding: 0, end: 0},
	} {
		if e, end, ok := c.find(tt.rel); ok != tt.ok || e.encoding != tt.encoding || end != tt.end {
			t.Errorf("%#x: %+v up to %#x, %v", tt.rel, e, end, ok)
		}
	}
}

func TestDamagedPages(t *testing.T) {
	good := twoPages().Build(t)
	set := func(off int, v uint32) []byte {
		data := slices.Clone(good)
		binary.LittleEndian.PutUint32(data[off:], v)
		return data
	}
	const index, first, third = 36, 84, 112
	for _, tt := range []struct {
		name string
		data []byte
		note string
		left int // entries
	}{
		{"version", set(0, 2), "macho: header of __unwind_info at 0x201c: version 2, want 1", 0},
		{"short header", good[:20], "macho: header of __unwind_info at 0x2014: need 4 bytes, have 0", 0},
		{"index too long", set(24, 1000), "macho: index of __unwind_info at 0x2024: 1000 entries, there is room for 8", 0},
		{"kind of page", set(first, 9), "macho: page for the code at 0x1000 of __unwind_info at 0x2058: a page of kind 9", 4},
		{"page beyond the section", set(index+4, 0xffff_fff0), "macho: page for the code at 0x1000 of __unwind_info at 0x2088: need 4 bytes, have 0", 4},
		{"too many entries", set(third+4, 0x7fff_0008), "macho: page for the code at 0x3000 of __unwind_info at 0x2078: 32767 entries, there is room for 2", 5},
		{"no such encoding", set(first+12, 0x77_000000), "macho: page for the code at 0x1000 of __unwind_info at 0x2060: encoding 119, there are 3", 4},
		{"out of order", set(third+8, 0x3900), "macho: page for the code at 0x3000 of __unwind_info at 0x2078: entries that are not in order, or not between 0x3000 and 0x4000", 5},
		{"beyond the next page", set(first+20, 0x02_001000),
			"macho: page for the code at 0x1000 of __unwind_info at 0x2060: entries that are not in order, or not between 0x1000 and 0x2000", 4},
		{"pages out of order", set(index+24, 0x1800),
			"macho: page for the code at 0x2000 of __unwind_info at 0x2004: entries that are not in order, or not between 0x2000 and 0x1800", 4},
	} {
		c, notes := readUnwindInfo(t, tt.data)
		if !slices.Contains(notes, tt.note) {
			t.Errorf("%s: notes %q, want %q", tt.name, notes, tt.note)
		}
		if len(c.entries) != tt.left || !slices.IsSortedFunc(c.entries, func(a, b entry) int { return int(a.start) - int(b.start) }) {
			t.Errorf("%s: %x", tt.name, c.entries)
		}
	}
}

// A page that many index entries share may not be read for each.
func TestSharedPage(t *testing.T) {
	const n = 20000
	s := asm.At(0).U32(1).Ref32("common").U32(0).Ref32("common").U32(0).Ref32("index").U32(n).Mark("common").Mark("index")
	for i := range uint32(n) {
		s.U32(0x1000 + i).Ref32("page").U32(0)
	}
	s.Mark("page").U32(3).U16(12, 60000, 12, 0)
	for range 60000 {
		s.U32(0)
	}
	u := unwindInfo{data: s.Build(t), order: binary.LittleEndian, out: &compact{}}
	u.common = []uint32{5}
	m := someImage(t)
	u.read(m.open(t))
	if got := len(u.out.entries); got > len(u.data)/4+1 {
		t.Errorf("%d entries out of %d bytes", got, len(u.data))
	}
	if read := len(u.data)/4 - u.left; read > len(u.data)/4+60000 {
		t.Errorf("%d words of pages were read, of %d that there are", read, len(u.data)/4)
	}
}

// What is listed says the same as what is asked for, except in last instructions.
func TestListedFrames(t *testing.T) {
	f := someImage(t).open(t)
	var tables []*unwind.CallFrameTable
	if err := f.EachCallFrame(func(table *unwind.CallFrameTable) error { tables = append(tables, table); return nil }); err != nil {
		t.Fatal(err)
	}
	var text []string
	for _, table := range tables {
		text = append(text, line(table.Start, table.Rules))
		for _, row := range table.Rows {
			text = append(text, " "+line(row.Addr, row.Rules))
		}
	}
	want := strings.TrimSpace(`
0x1800 .cfa: $rsp 8 + .ra: .cfa -8 + ^
0x1000 .cfa: $rsp 8 + .ra: .cfa -8 + ^
 0x1001 .cfa: $rsp 16 + $rbp: .cfa -16 + ^
 0x1004 .cfa: $rbp 16 +
 0x1005 $rbx: .cfa -24 + ^
0x1020 .cfa: $rsp 8 + .ra: .cfa -8 + ^
 0x1022 .cfa: $rsp 16 + $r14: .cfa -16 + ^
 0x1023 .cfa: $rsp 24 + $rbx: .cfa -24 + ^
 0x1027 .cfa: $rsp 64 +`)
	if got := strings.Join(text, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func line(at uint64, rules []unwind.Rule) string {
	out := hex(uint32(at))
	for _, r := range rules {
		out += " " + r.String()
	}
	return out
}
