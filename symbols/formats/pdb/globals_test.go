package pdb

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// TestConstants finds constants by their names, in buckets with one name, with several, and
// with records of other kinds.
func TestConstants(t *testing.T) {
	constant := func(value uint16, name string) []byte {
		return rec(t, symConstant, asm.At(0).U32(0x74).U16(value).Text(name).U8(0))
	}
	names := []string{"a", "A", "b::c", "d", "d", "gone"} // the hash of a is that of A
	p, at := withRecords(t, constant(1, "a"), constant(2, "A"), rec(t, symConstantST, asm.At(0).U32(0x74).U16(0x8001, 0xffff).U8(4).Text("b::c")),
		dataRecord(t, symGlobalData, 0x74, 0, 2, "d"), constant(4, "d"), constant(5, "other"))
	p.globals = globals(t, names, at)
	f := openBytes(t, p.build(t))
	for name, want := range map[string]string{"a": "1 true", "A": "2 true", "b::c": fmt.Sprint(^uint64(0), " true"), "d": "4 true", "gone": "0 false", "none": "0 false", "": "0 false"} {
		value, ok := f.constant(name)
		if got := fmt.Sprint(value, " ", ok); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	if notes := f.Notes(); len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
}

// TestGlobalTable reads tables that are damaged.
//
// Source: GSIHashHdr and fixupHashIn of microsoft-pdb's gsi.h and gsi.cpp.
func TestGlobalTable(t *testing.T) {
	head := func(signature, version, size uint32) *asm.Section { return asm.At(0).U32(signature, version, size, 0) }
	const version = 0xeffe0000 + 19990810
	bitmap := make([]byte, 516)
	used := make([]byte, 516)
	used[0] = 1 << 3
	for _, tt := range []struct {
		name    string
		in      *asm.Section
		records int
		buckets string // the first five
		err     string
	}{
		{"empty", head(0xffffffff, version, 0).Bytes(bitmap), 0, "[0 0 0 0 0]", ""},
		{"two in bucket 3", head(0xffffffff, version, 16).U32(1, 1, 9, 1).Bytes(used).U32(0), 2, "[0 0 0 0 2]", ""},
		{"the second of two in bucket 3", head(0xffffffff, version, 16).U32(1, 1, 9, 1).Bytes(used).U32(12), 2, "[1 1 1 1 2]", ""},
		{"another signature", head(1, version, 0).Bytes(bitmap), 0, "", "globals at 0x10: signature 0x1 and version 0xeffe0000+19990810"},
		{"another version", head(0xffffffff, 1, 0).Bytes(bitmap), 0, "", "globals at 0x10: signature 0xffffffff and version 0x1"},
		{"cut in the head", asm.At(0).U32(0xffffffff, version), 0, "", "globals at 0x8: need 4 bytes, have 0"},
		{"more records than bytes", head(0xffffffff, version, 1<<30).Zeros(100), 0, "", "globals at 0x74: need 516 bytes, have 0"},
		{"a bucket without a place", head(0xffffffff, version, 8).U32(1, 1).Bytes(used), 1, "[0 0 0 0 1]", "globals at 0x21c: need 4 bytes, have 0"},
	} {
		var g globalTable
		data := tt.in.Build(t)
		err := g.read(bin.NewCursor("globals", 0, data))
		want := strings.Replace(tt.err, "0xeffe0000+19990810", fmt.Sprintf("%#x", uint32(version)), 1)
		if got := errorText(err); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
		if err == nil && len(g.records)/8 != tt.records {
			t.Errorf("%s: %d records, want %d", tt.name, len(g.records)/8, tt.records)
		}
		if tt.buckets != "" && fmt.Sprint(g.first[:5]) != tt.buckets {
			t.Errorf("%s: buckets begin at %v, want %s", tt.name, g.first[:5], tt.buckets)
		}
	}
}

// TestGlobalPlaces has a table whose records are not where it says.
func TestGlobalPlaces(t *testing.T) {
	p, _ := withRecords(t, rec(t, symConstant, asm.At(0).U32(0x74).U16(7).Text("k\x00")))
	for name, tt := range map[string]struct {
		at   uint32
		note string
	}{
		"k at its place":         {0, ""},
		"before the records":     {0xffff_ffff, ""}, // 0 in the file: no record
		"behind them":            {0x5000, "reach beyond the end of the file"},
		"where no record begins": {6, "symbol records at 0x6: a record of 2 bytes is no record"},
	} {
		p.globals = globals(t, []string{"k"}, []uint32{tt.at})
		f := openBytes(t, p.build(t))
		value, ok := f.constant("k")
		if ok != (tt.at == 0) || ok && value != 7 {
			t.Errorf("%s: %d, %v", name, value, ok)
		}
		if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: %q, want %q", name, notes, tt.note)
		}
	}
}

// TestNoGlobals has a file without the table, and one whose table is damaged.
func TestNoGlobals(t *testing.T) {
	p := x86(t)
	for name, table := range map[string][]byte{"none": nil, "damaged": make([]byte, 600)} {
		p.globals = table
		f := openBytes(t, p.build(t))
		for range 2 {
			if _, ok := f.constant("k"); ok {
				t.Errorf("%s: a constant", name)
			}
		}
		if notes := f.Notes(); len(notes) > 0 != (table != nil) || len(notes) > 1 {
			t.Errorf("%s: %q", name, notes)
		}
	}
	var types *program = x86(t)
	types.extra = map[int][]byte{streamDBI: nil}
	if _, ok := openBytes(t, types.build(t)).constant("k"); ok {
		t.Error("without a program: a constant")
	}
}

// TestManyOfOneName has more records of one name than are looked at.
func TestManyOfOneName(t *testing.T) {
	var records [][]byte
	var names []string
	for range maxSameName {
		records, names = append(records, dataRecord(t, symGlobalData, 0x74, 0, 2, "k")), append(names, "k")
	}
	last := rec(t, symConstant, asm.At(0).U32(0x74).U16(7).Text("k\x00"))
	p, at := withRecords(t, append(records, last)...)
	p.globals = globals(t, append(names, "k"), at)
	if _, ok := openBytes(t, p.build(t)).constant("k"); ok {
		t.Errorf("record %d was looked at", maxSameName+1)
	}
	p, at = withRecords(t, append(records[1:], last)...)
	p.globals = globals(t, names, at)
	if _, ok := openBytes(t, p.build(t)).constant("k"); !ok {
		t.Errorf("record %d was not looked at", maxSameName)
	}
}
