package pdb

import (
	"reflect"
	"slices"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

func TestAnnotations(t *testing.T) {
	const base = 0x1000
	in := inlinee{file: 1, line: 100}
	tests := []struct {
		name string
		in   []uint8
		want []lineRow
	}{
		{"nothing", nil, nil},
		{"padding", []uint8{0, 0}, nil},
		{"advance, then its length", []uint8{3, 4, 4, 6}, []lineRow{{0x1004, 0x100a, 100, 1}}},
		{"a row ends where the next begins", []uint8{3, 4, 6, 4, 3, 8, 4, 2}, []lineRow{{0x1004, 0x100c, 100, 1}, {0x100c, 0x100e, 102, 1}}},
		{"line and code in one", []uint8{11, 3<<4&0x7f | 5, 4, 1}, []lineRow{{0x1005, 0x1006, 99, 1}}},
		{"length and code", []uint8{12, 7, 3}, []lineRow{{0x1003, 0x100a, 100, 1}}},
		{"code after a length counts from its end", []uint8{3, 4, 4, 6, 3, 2, 4, 1}, []lineRow{{0x1004, 0x100a, 100, 1}, {0x100c, 0x100d, 100, 1}}},
		{"code offset", []uint8{1, 0x20, 3, 0, 4, 1}, []lineRow{{0x1020, 0x1021, 100, 1}}},
		{"another file", []uint8{5, 24, 3, 1, 4, 1}, []lineRow{{0x1001, 0x1002, 100, 24}}},
		{"columns and the rest do not matter", []uint8{9, 3, 10, 2, 13, 9, 7, 1, 8, 0, 3, 1, 4, 1}, []lineRow{{0x1001, 0x1002, 100, 1}}},
		{"numbers of two bytes", []uint8{3, 0x81, 0x02, 4, 0x80, 0x80}, []lineRow{{0x1102, 0x1182, 100, 1}}},
		{"numbers of four bytes", []uint8{3, 0xc0, 1, 0, 0, 4, 1}, []lineRow{{0x11000, 0x11001, 100, 1}}},
		{"numbers cut off", []uint8{3, 1, 4, 1, 3, 0xc0, 1}, []lineRow{{0x1001, 0x1002, 100, 1}}},
		{"an unknown size", []uint8{3, 1, 4, 1, 3, 0xe0}, []lineRow{{0x1001, 0x1002, 100, 1}}},
		{"an unknown operation", []uint8{3, 1, 4, 1, 14, 1, 3, 1}, []lineRow{{0x1001, 0x1002, 100, 1}}},
		{"separated code", []uint8{3, 1, 4, 1, 2, 1, 3, 1, 4, 1}, []lineRow{{0x1001, 0x1002, 100, 1}}},
		{"a length at the beginning", []uint8{6, 4, 4, 6, 3, 2, 4, 1}, []lineRow{{0x1000, 0x1006, 102, 1}, {0x1008, 0x1009, 102, 1}}},
		{"a length behind a length", []uint8{3, 2, 4, 6, 6, 4, 4, 3}, []lineRow{{0x1002, 0x1008, 100, 1}, {0x1008, 0x100b, 102, 1}}},
		{"a length behind a length and code", []uint8{12, 7, 3, 4, 2}, []lineRow{{0x1003, 0x100a, 100, 1}}},
		{"no end", []uint8{3, 1}, []lineRow{{0x1001, 0x1001, 100, 1}}},
	}
	for _, tt := range tests {
		if got := in.rows(tt.in, base, nil); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %x, want %x", tt.name, got, tt.want)
		}
	}
}

func TestLines(t *testing.T) {
	a := &addressMap{sections: []section{{start: 0x1000, size: 0x1000, flags: codeFlags}}}
	tests := []struct {
		name string
		in   []*asm.Section // what follows kind and size
		want []lineRow
		err  string
	}{
		{name: "rows end where the next begins, the last with the code",
			in:   []*asm.Section{asm.At(0).U32(0x10).U16(1, 0).U32(0x20, 8, 2, 28, 0, 5, 4, 7|1<<31)},
			want: []lineRow{{0x1010, 0x1014, 5, 8}, {0x1014, 0x1030, 7, 8}}},
		{name: "columns are skipped",
			in:   []*asm.Section{asm.At(0).U32(0x10).U16(1, 1).U32(8, 8, 1, 24, 0, 5, 0x20001)},
			want: []lineRow{{0x1010, 0x1018, 5, 8}}},
		{name: "two files alternate",
			in:   []*asm.Section{asm.At(0).U32(0).U16(1, 0).U32(9, 0, 2, 28, 0, 1, 6, 3, 8, 1, 20, 3, 2)},
			want: []lineRow{{0x1000, 0x1003, 1, 0}, {0x1003, 0x1006, 2, 8}, {0x1006, 0x1009, 3, 0}}},
		{name: "numbers that are no lines",
			in:   []*asm.Section{asm.At(0).U32(0).U16(1, 0).U32(9, 0, 4, 44, 0, 0xf00f00, 2, 1, 4, 0xfeefee, 6, 2)},
			want: []lineRow{{0x1002, 0x1006, 1, 0}, {0x1006, 0x1009, 2, 0}}},
		{name: "of two lines for an instruction the last counts",
			in:   []*asm.Section{asm.At(0).U32(0).U16(1, 0).U32(9, 0, 2, 28, 0, 1, 0, 2)},
			want: []lineRow{{0x1000, 0x1009, 2, 0}}},
		{name: "a line behind the code",
			in:   []*asm.Section{asm.At(0).U32(0).U16(1, 0).U32(9, 0, 2, 28, 0, 1, 9, 2)},
			want: []lineRow{{0x1000, 0x1009, 1, 0}}},
		{name: "functions that became one",
			in: []*asm.Section{
				asm.At(0).U32(0).U16(1, 0).U32(9, 0, 1, 20, 0, 1),
				asm.At(0).U32(0).U16(1, 0).U32(9, 8, 1, 20, 0, 2)},
			want: []lineRow{{0x1000, 0x1009, 1, 0}}},
		{name: "no such section", in: []*asm.Section{asm.At(0).U32(0).U16(2, 0).U32(9, 0, 1, 20, 0, 1)}},
		{name: "a count that lies",
			in:  []*asm.Section{asm.At(0).U32(0).U16(1, 0).U32(9, 0, 1<<30, 20, 0, 1)},
			err: "lines at 0x18: a block of 20 bytes for 1073741824 lines, 8 bytes are left"},
		{name: "a block that is too long",
			in:  []*asm.Section{asm.At(0).U32(0).U16(1, 0).U32(9, 0, 1, 200, 0, 1)},
			err: "lines at 0x18: a block of 200 bytes for 1 lines, 8 bytes are left"},
	}
	for _, tt := range tests {
		var table lineTable
		var err error
		for _, s := range tt.in {
			c := bin.NewCursor("lines", 0, s.Build(t))
			table.add(c, a)
			err = c.Err()
		}
		table.finish()
		if len(table.rows)+len(tt.want) > 0 && !reflect.DeepEqual(table.rows, tt.want) {
			t.Errorf("%s: %x, want %x", tt.name, table.rows, tt.want)
		}
		if got := errorText(err); got != tt.err {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestInlinees(t *testing.T) {
	var plain, extra inlineeTable
	plain.add(bin.NewCursor("inlinees", 0, asm.At(0).U32(0, 0x1000, 8, 5, 0x1001, 0, 7).Build(t)))
	extra.add(bin.NewCursor("inlinees", 0, asm.At(0).U32(1, 0x1000, 8, 5, 2, 16, 24, 0x1001, 0, 7, 0).Build(t)))
	want := inlineeTable{0x1000: {8, 5}, 0x1001: {0, 7}}
	if !reflect.DeepEqual(plain, want) || !reflect.DeepEqual(extra, want) {
		t.Errorf("%v and %v, want %v", plain, extra, want)
	}
	c := bin.NewCursor("inlinees", 0, asm.At(0).U32(1, 0x1000, 8, 5, 1<<30).Build(t))
	if extra.add(c); errorText(c.Err()) != "inlinees at 0x10: count 1073741824 exceeds stream size 20" {
		t.Errorf("%v", c.Err())
	}
}

// TestCrossModule has an inlined function whose id is another module's.
func TestCrossModule(t *testing.T) {
	p := example(t)
	p.text = append(p.text, "COPY.obj")
	sym := symbolRecords()
	addProc(t, sym, "main", 0x1001, 1, 0, 0x40)
	addInline(t, sym, 0x8000_0001, 3, 0x10, 4, 8)
	addEnd(t, sym, 0x114e)
	addEnd(t, sym, 6)
	p.modules[0].symbols = sym
	p.modules[0].c13 = asm.At(0).Bytes(checksums(t, 1)).
		Bytes(sub(t, 0xf6, asm.At(0).U32(0, 0x8000_0001, 0, 5))).
		Bytes(sub(t, 0xf7, asm.At(0).U32(p.nameAt("COPY.obj"), 2, 0x1111, 0x2222)))
	p.modules[1].c13 = asm.At(0).Bytes(sub(t, 0xf8, asm.At(0).U32(0x1111, 0x1000, 0x2222, 0x1002)))
	f := openBytes(t, p.build(t))
	loc, _ := f.Locate(0x1010)
	if len(loc.Inlines) != 1 || loc.Inlines[0].Function != "geo::min(int, char**)" {
		t.Errorf("%+v, notes %q", loc, f.Notes())
	}
}
