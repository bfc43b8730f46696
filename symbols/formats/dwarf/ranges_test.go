package dwarf

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// starts lists where the functions of a file begin and end.
func starts(t *testing.T, f *File) string {
	t.Helper()
	covered, err := f.Covered()
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, r := range covered {
		out += fmt.Sprintf("%x+%x ", r.Start, r.Size)
	}
	return out
}

// inRanges is a unit with one function that has a list of ranges.
func inRanges(t *testing.T, version int, form uint64, value []byte, sections map[string][]byte) *File {
	sections["abbrev"] = abbrevs(
		decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atAddrBase, formSecOffset}, attr{atRnglistsBase, formSecOffset}),
		decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atRanges, form}),
	)
	unit := unit5
	if version < 5 {
		unit = unit4
	}
	sections["info"] = unit(func(s *asm.Section) {
		s.U8(1).U64(0x5000).U32(8).U32(12).U8(2).Bytes(text("f")).Bytes(value).U8(0)
	}).Build(t)
	return open(sections, Options{})
}

// TestRnglists has a list of each kind of entry, and of what linkers leave
// where they threw code away.
func TestRnglists(t *testing.T) {
	none := ^uint64(0)
	for _, tt := range []struct {
		name string
		list *asm.Section
		want string
	}{
		{"pair of offsets", asm.At(0).U8(rangeOffsetPair, 0x10, 0x30), "5010+20 "},
		{"base", asm.At(0).U8(rangeBase).U64(0x7000).U8(rangeOffsetPair, 1, 3, rangeOffsetPair, 5, 6), "7001+2 7005+1 "},
		{"base by index", asm.At(0).U8(rangeBasex, 1, rangeOffsetPair, 0, 4), "2000+4 "},
		{"start and end by index", asm.At(0).U8(rangeStartxEndx, 0, 1), "1000+1000 "},
		{"start by index", asm.At(0).U8(rangeStartxLength, 1, 9), "2000+9 "},
		{"start and end", asm.At(0).U8(rangeStartEnd).U64(0x100, 0x180), "100+80 "},
		{"start", asm.At(0).U8(rangeStartLength).U64(0x100).U8(7), "100+7 "},
		{"empty", asm.At(0).U8(rangeStartLength).U64(0x100).U8(0), ""},
		{"backward", asm.At(0).U8(rangeStartEnd).U64(0x180, 0x100), ""},
		{"dropped code at 0", asm.At(0).U8(rangeStartLength).U64(0).U8(7), ""},
		{"at 1", asm.At(0).U8(rangeStartLength).U64(1).U8(7), ""},
		{"at -1", asm.At(0).U8(rangeStartEnd).U64(none, none+8), ""},
		{"at -2", asm.At(0).U8(rangeStartEnd).U64(none-1, none), ""},
		{"base 0", asm.At(0).U8(rangeBase).U64(0).U8(rangeOffsetPair, 0x10, 0x30), ""},
		{"base -1", asm.At(0).U8(rangeBase).U64(none).U8(rangeOffsetPair, 0x10, 0x30), ""},
		{"base by index 0", asm.At(0).U8(rangeBasex, 2, rangeOffsetPair, 0x10, 0x30), ""},
		{"several", asm.At(0).U8(rangeOffsetPair, 1, 2, rangeStartLength).U64(0).U8(7).U8(rangeOffsetPair, 4, 6), "5001+1 5004+2 "},
	} {
		lists := append(asm.At(0).Zeros(12).U32(4).Build(t), append(tt.list.Build(t), rangeEnd)...)
		addrs := asm.At(0).Zeros(8).U64(0x1000, 0x2000, 0).Build(t)
		for form, value := range map[uint64][]byte{formSecOffset: {16, 0, 0, 0}, formRnglistx: {0}} {
			f := inRanges(t, 5, form, value, map[string][]byte{"rnglists": lists, "addr": addrs})
			if got := starts(t, f); got != tt.want {
				t.Errorf("%s, form %#x: %q, want %q", tt.name, form, got, tt.want)
			}
			check(t, f)
		}
	}
}

func TestRanges(t *testing.T) {
	none := ^uint64(0)
	for _, tt := range []struct {
		name  string
		pairs []uint64
		want  string
	}{
		{"offsets", []uint64{0x10, 0x30, 0x40, 0x50}, "5010+20 5040+10 "},
		{"base", []uint64{none, 0x7000, 1, 3}, "7001+2 "},
		{"base back to 0", []uint64{none, 0, 0x100, 0x180}, "100+80 "},
		{"empty", []uint64{8, 8, 0x10, 0x30}, "5010+20 "},
		{"dropped code", []uint64{none - 1, none - 1, none - 1, none, 1, 1}, ""},
	} {
		list := asm.At(0).Zeros(8).U64(tt.pairs...).U64(0, 0).Build(t)
		f := inRanges(t, 4, formData4, []byte{8, 0, 0, 0}, map[string][]byte{"ranges": list})
		if got := starts(t, f); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		check(t, f)
	}
}

func TestListsWithoutEnd(t *testing.T) {
	f := inRanges(t, 5, formSecOffset, []byte{0, 0, 0, 0}, map[string][]byte{"rnglists": asm.At(0).U8(rangeOffsetPair, 1, 2, rangeOffsetPair, 1).Build(t)})
	if got := starts(t, f) + fmt.Sprint(f.Notes()); got != "5001+1 [dwarf: .debug_rnglists at 0x0: a list has no end]" {
		t.Error(got)
	}
	f = inRanges(t, 5, formSecOffset, []byte{0, 0, 0, 0}, map[string][]byte{"rnglists": {0x42, 0}})
	if got := starts(t, f) + fmt.Sprint(f.Notes()); got != "[dwarf: .debug_rnglists at 0x0: a list has no end]" {
		t.Error(got)
	}
}

// TestRangesListedOften has calls in each other, whose lists have the same
// range a hundred times, and says where a call is once.
func TestRangesListedOften(t *testing.T) {
	list := asm.At(0)
	for range 100 {
		list.U8(rangeStartLength).U64(0x1000).U8(0x10)
	}
	sections := map[string][]byte{
		"rnglists": append(list.Build(t), rangeEnd),
		"abbrev": abbrevs(
			decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}),
			decl(2, tagSubprogram, 1, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
			decl(3, tagInlined, 1, attr{atName, formString}, attr{atRanges, formSecOffset}),
		),
		"info": unit5(func(s *asm.Section) {
			s.U8(1).U64(0).U8(2).Bytes(text("f")).U64(0x1000).U32(0x100)
			for range 3 {
				s.U8(3).Bytes(text("g")).U32(0)
			}
			s.Zeros(5)
		}).Build(t),
	}
	f := open(sections, Options{})
	var got string
	if err := f.EachFunction(func(fn *symbolize.Function) error { got = fmt.Sprint(fn.Inlines); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := "[{0 g  0 [{4096 16}]} {1 g  0 [{4096 16}]} {2 g  0 [{4096 16}]}]"; got != want {
		t.Errorf("%.200s, want %s", got, want)
	}
	check(t, f)
}

// TestRangesReferredToOften has thousands of units with one list.
func TestRangesReferredToOften(t *testing.T) {
	const entries, units = 2000, 2000
	list, info := asm.At(0), []byte{}
	for i := range uint64(entries) {
		list.U64(0x1000+16*i, 0x1008+16*i)
	}
	for range units {
		info = append(info, unit4(func(s *asm.Section) { s.U8(1).U64(0).U32(0) }).Build(t)...)
	}
	f := open(map[string][]byte{
		"ranges": list.U64(0, 0).Build(t), "info": info,
		"abbrev": abbrevs(decl(1, tagCompileUnit, 0, attr{atLowPC, formAddr}, attr{atRanges, formSecOffset})),
	}, Options{})
	x, err := f.readIndex()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(x.places); n < entries || n > 16*entries {
		t.Errorf("%d places", n)
	}
	if notes := fmt.Sprint(f.Notes()); !strings.Contains(notes, "dwarf: .debug_ranges at 0x0: the unit at") {
		t.Errorf("notes %s", notes)
	}
}

// TestUnitAroundThousands has a unit that says it has code from 0x1000 on, and
// thousands of others in there. Its functions are found between and inside them.
func TestUnitAroundThousands(t *testing.T) {
	const n = 5000
	unit := func(low uint64, size uint32, functions ...uint64) (out []byte) {
		return unit4(func(s *asm.Section) {
			s.U8(1).U64(low).U32(size)
			for _, at := range functions {
				s.U8(2).Bytes(text("f")).U64(at).U32(4)
			}
			s.U8(0)
		}).Build(t)
	}
	between, inside := uint64(0x2008+16*(n-100)), uint64(0x2004+16*(n-200))
	info := unit(0x1000, 0x1000+16*n, 0x1000, between, inside)
	for i := range uint64(n) {
		info = append(info, unit(0x2000+16*i, 8, 0x2000+16*i)...)
	}
	f := open(map[string][]byte{"info": info, "abbrev": abbrevs(
		decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
		decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
	)}, Options{})
	for _, at := range []uint64{0x1000, 0x2000, 0x2000 + 16*(n-1), between, inside} {
		if fn, ok := f.Function(at); !ok || fn.Start != at {
			t.Errorf("%#x: %+v, %v", at, fn, ok)
		}
	}
}

// A function that begins before its image would begin at nearly 2⁶⁴ in it.
func TestFunctionBeforeTheImage(t *testing.T) {
	list := asm.At(0).Zeros(8).U64(0x10, 0x30, 0, 0).Build(t)
	f := inRanges(t, 4, formData4, []byte{8, 0, 0, 0}, map[string][]byte{"ranges": list})
	for base, want := range map[uint64]bool{0x5000: true, 0x5010: true, 0x5018: false} {
		f.opt.Base = base
		loc, ok := f.Locate(0x5020 - base)
		fn, found := f.Function(0x5020 - base)
		if ok != want || found != want || loc.Start > 0x10 || fn.Start > 0x10 {
			t.Errorf("base %#x: %+v, %v, and %+v, %v; want %v", base, loc, ok, fn, found, want)
		}
	}
}
