package pdb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// TestRowsOfLines asks lines at 10-18 and 18-20 and 30-38 for addresses and ranges.
func TestRowsOfLines(t *testing.T) {
	table := lineTable{rows: []lineRow{{0x10, 0x18, 1, 0}, {0x18, 0x20, 2, 0}, {0x30, 0x38, 3, 0}}}
	for rva, want := range map[uint32]uint32{0: 0, 0xf: 0, 0x10: 1, 0x17: 1, 0x18: 2, 0x1f: 2, 0x20: 0, 0x2f: 0, 0x30: 3, 0x37: 3, 0x38: 0, 0xffffffff: 0} {
		if row, ok := table.at(rva); row.line != want || ok != (want > 0) {
			t.Errorf("%#x: line %d, %v, want %d", rva, row.line, ok, want)
		}
	}
	for _, tt := range []struct {
		start, end uint32
		want       string
	}{{0, 0x10, ""}, {0, 0x11, "1"}, {0x17, 0x18, "1"}, {0x18, 0x19, "2"}, {0x17, 0x19, "1 2"}, {0x20, 0x30, ""}, {0x1f, 0x31, "2 3"}, {0, 0x100, "1 2 3"}, {0x38, 0x40, ""}, {0x19, 0x10, ""}} {
		var got []string
		for _, row := range table.in(tt.start, tt.end) {
			got = append(got, fmt.Sprint(row.line))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%#x to %#x: lines %q, want %q", tt.start, tt.end, got, tt.want)
		}
	}
	for _, tt := range []struct {
		in   []lineRow
		want string
	}{
		{[]lineRow{{0x10, 0x18, 1, 0}, {0x18, 0x20, 2, 0}}, "10-18:1 18-20:2"}, {[]lineRow{{0x18, 0x20, 2, 0}, {0x10, 0x18, 1, 0}}, "10-18:1 18-20:2"},
		{[]lineRow{{0x10, 0x20, 1, 0}, {0x14, 0x18, 2, 0}}, "10-14:1 14-18:2 18-20:1"}, {[]lineRow{{0x10, 0x10, 1, 0}, {0x10, 0x18, 2, 0}}, "10-18:2"},
		{[]lineRow{{0x10, 0x18, 1, 0}, {0x17, 0x20, 2, 0}}, "10-17:1 17-20:2"}, {nil, ""},
	} {
		var got []string
		for _, r := range divideRows(tt.in) {
			got = append(got, fmt.Sprintf("%x-%x:%d", r.start, r.end, r.line))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%x: %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestColumns has lines with columns behind them, in two blocks: those of the second file begin
// behind the columns of the first.
func TestColumns(t *testing.T) {
	a := &addressMap{sections: []section{{start: 0x1000, size: 0x1000, flags: codeFlags}}}
	in := asm.At(0).U32(0).U16(1, 1).U32(0x20).
		U32(0, 2, 12+2*8+2*4, 0, 1, 8, 2, 0x00050001, 0x00060002).
		U32(8, 1, 12+8+4, 0x10, 3, 0x00070003)
	var table lineTable
	c := bin.NewCursor("lines", 0, in.Build(t))
	table.add(c, a)
	want := []lineRow{{0x1000, 0x1008, 1, 0}, {0x1008, 0x1010, 2, 0}, {0x1010, 0x1020, 3, 8}}
	if !slices.Equal(table.rows, want) || c.Err() != nil {
		t.Errorf("%x, %v, want %x", table.rows, c.Err(), want)
	}
	for cut := range 12 {
		short := bin.NewCursor("lines", 0, asm.At(0).U32(0).U16(1, 1).U32(0x20).U32(0, 1, uint32(12+cut), 0, 1, 0).Build(t))
		if (&lineTable{}).add(short, a); short.Err() == nil {
			t.Errorf("a block of %d bytes has a line with a column", 12+cut)
		}
	}
}

// TestFoldedBlocks has two functions with the same code, and their lines among other subsections:
// the first lines are those of the first function, which is the one that is reported.
func TestFoldedBlocks(t *testing.T) {
	first, second := linesOf(t, 1, 0, 0x10, 0, 0, 7), linesOf(t, 1, 0, 0x10, 0, 0, 70)
	other := linesOf(t, 1, 0x40, 0x10, 0, 0, 9)
	for _, tt := range []struct {
		name   string
		blocks [][]byte
		want   uint32
	}{
		{"one each", [][]byte{first, second}, 7}, {"with lines of others between", [][]byte{other, first, other, second}, 7},
		{"only of the second", [][]byte{second}, 70}, {"three for two", [][]byte{first, second, second}, 7},
		{"behind a subsection that is to be ignored", [][]byte{sub(t, 0xf2|subIgnore, asm.At(0).U32(0).U16(1, 0).U32(0x10, 0, 1, 20, 0, 5)), first, second}, 7},
		{"behind lines that are cut off", [][]byte{asm.At(0).U32(0xf2, 4, 0).Build(t), first, second}, 7},
		{"behind lines of no section", [][]byte{linesOf(t, 0, 0, 0x10, 0, 0, 5), first, second}, 7},
	} {
		p := example(t)
		sym := symbolRecords()
		for _, name := range []string{"one", "two"} {
			addProc(t, sym, name, 0, 1, 0, 0x10)
			addEnd(t, sym, 6)
		}
		c13 := asm.At(0).Bytes(checksums(t, 1))
		for _, b := range tt.blocks {
			c13.Bytes(b)
		}
		p.modules = []object{{"m.obj", sym, c13, [][3]uint32{{1, 0, 0x50}}}}
		p.publics = nil
		loc, _ := openBytes(t, p.build(t)).Locate(0x1004)
		if loc.Function != "one" || loc.Line != tt.want || !loc.Multiple {
			t.Errorf("%s: %+v, want line %d", tt.name, loc, tt.want)
		}
	}
}
