package dwarf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/values"
)

// off32 is an offset of four bytes.
func off32(v uint32) raw { return raw{formSecOffset, binary.LittleEndian.AppendUint32(nil, v)} }

// skeleton4 is what GCC and clang write with -gsplit-dwarf for DWARF 4 (DebugFission): a unit that
// names its .dwo file, and where its parts of .debug_addr and .debug_ranges begin. The addresses are
// 0x1000, 0x1030 and 0x1060; ranges count from the unit's own address.
func skeleton4(t *testing.T, more ...says) map[string][]byte {
	unit := tag(tagCompileUnit, says{atGNUDwoName, "a.dwo"}, says{atGNUDwoID, raw{formData8, words(0x1234)}}, says{atGNUAddrBase, off32(8)}, says{atGNURangesBase, off32(16)})
	unit.says = append(unit.says, more...)
	return newTree().unit(4, unit).sections(t, map[string][]byte{
		"addr":   asm.At(0).Zeros(8).U64(0x1000, 0x1030, 0x1060).Build(t),
		"ranges": asm.At(0).Zeros(16).U64(0, 8, 0x20, 0x28, 0, 0).U64(0x1000, 0x2000, 0, 0).Build(t),
	})
}

// split4 is the unit in the .dwo file.
func split4(kids ...ent) *tree {
	return newTree().unit(4, tag(tagCompileUnit, says{atGNUDwoID, raw{formData8, words(0x1234)}}, kids))
}

// addSplit adds the sections of a .dwo file.
func addSplit(f *File, sections map[string][]byte) *File {
	out := Sections{}
	for name, data := range sections {
		out[name] = source(data)
	}
	f.AddSplit(out)
	return f
}

var codeOfSkeleton = []says{{atLowPC, addr(0x1000)}, {atHighPC, 0x1000}}

// Functions of a split unit have their addresses in .debug_addr, or their ranges in .debug_ranges of
// the program, from DW_AT_GNU_ranges_base on.
func TestSplitFunctionsOfDWARF4(t *testing.T) {
	d := split4(
		tag(tagSubprogram, "one", says{atLowPC, raw{formGNUAddrIndex, []byte{1}}}, says{atHighPC, 0x10}),
		tag(tagSubprogram, "two parts", says{atRanges, off32(0)}),
		tag(tagSubprogram, "no such address", says{atLowPC, raw{formGNUAddrIndex, []byte{9}}}, says{atHighPC, 0x10}),
	)
	f := addSplit(open(skeleton4(t, codeOfSkeleton...), Options{}), d.sections(t, nil))
	for rel, want := range map[uint64]symbolize.Location{
		0x1030: {Function: "one", Start: 0x1030, Size: 0x10},
		0x103f: {Function: "one", Start: 0x1030, Size: 0x10},
		0x1007: {Function: "two parts", Start: 0x1000, Size: 8},
		0x1008: {},
		0x1020: {Function: "two parts", Start: 0x1020, Size: 8},
		0x1040: {},
	} {
		if loc, _ := f.Locate(rel); fmt.Sprint(loc) != fmt.Sprint(want) {
			t.Errorf("%#x: %+v, want %+v", rel, loc, want)
		}
	}
	if got, want := strings.Join(f.Notes(), "\n"), "dwarf: .debug_addr at 0x50: 8 bytes reach beyond the end of the file at 0x20"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The skeleton's own ranges do not count from DW_AT_GNU_ranges_base.
func TestRangesOfSkeleton(t *testing.T) {
	d := split4(tag(tagSubprogram, "f", says{atLowPC, raw{formGNUAddrIndex, []byte{1}}}, says{atHighPC, 0x10}))
	f := addSplit(open(skeleton4(t, says{atLowPC, addr(0)}, says{atRanges, off32(64)}), Options{}), d.sections(t, nil))
	if loc, _ := f.Locate(0x1038); loc.Function != "f" {
		t.Errorf("%+v", loc)
	}
	check(t, f)
}

// Location lists of split units of version 4 have kinds of their own: lengths and offsets of four
// bytes, and expressions behind two.
func TestSplitLocationLists(t *testing.T) {
	one, two := []byte{2, 0, opLit0 + 1, opStackValue}, []byte{2, 0, opLit0 + 2, opStackValue}
	le := func(vs ...uint32) []byte { return asm.At(0).U32(vs...).Build(t) }
	for _, test := range []struct {
		name string
		list []byte
		want map[uint64]string
	}{
		{"two indexes", slices.Concat([]byte{2, 1, 2}, one, []byte{0}), map[uint64]string{0x102f: "<optimized_out>", 0x1030: "= 1", 0x105f: "= 1", 0x1060: "<optimized_out>"}},
		{"an index and a length", slices.Concat([]byte{3, 1}, le(0x10), one, []byte{0}),
			map[uint64]string{0x102f: "<optimized_out>", 0x1030: "= 1", 0x103f: "= 1", 0x1040: "<optimized_out>"}},
		{"offsets from the skeleton", slices.Concat([]byte{4}, le(0x10, 0x20), one, []byte{0}),
			map[uint64]string{0x100f: "<optimized_out>", 0x1010: "= 1", 0x101f: "= 1", 0x1020: "<optimized_out>"}},
		{"offsets from a base", slices.Concat([]byte{1, 1, 4}, le(0x10, 0x20), two, []byte{0}),
			map[uint64]string{0x1010: "<optimized_out>", 0x1040: "= 2", 0x1050: "<optimized_out>"}},
		{"the first that holds", slices.Concat([]byte{2, 1, 2}, two, []byte{3, 1}, le(0x100), one, []byte{0}), map[uint64]string{0x1030: "= 2", 0x1060: "= 1"}},
		{"a default of version 5", slices.Concat([]byte{5}, one, []byte{0}), map[uint64]string{0x1030: "<unreadable>"}},
		{"no end", slices.Concat([]byte{2, 1, 2}, one), map[uint64]string{0x1030: "= 1", 0x1060: "<unreadable>"}},
		{"an expression that is truncated", []byte{2, 1, 2, 9, 0, opLit0}, map[uint64]string{0x1030: "<unreadable>"}},
		{"an empty expression", slices.Concat([]byte{2, 1, 2, 0, 0}, []byte{0}), map[uint64]string{0x1030: "<optimized_out>"}},
	} {
		function := tag(tagSubprogram, "f", says{atLowPC, raw{formGNUAddrIndex, []byte{0}}}, says{atHighPC, 0x100},
			tag(tagVariable, "v", of("int"), says{atLocation, off32(4)}))
		d := split4(base("int", encodingSigned, 4), function)
		f := addSplit(open(skeleton4(t, codeOfSkeleton...), Options{}), d.sections(t, map[string][]byte{"loc": append([]byte("else"), test.list...)}))
		for rel, want := range test.want {
			if got := values.Shown(frame(f, rel, nil)); got != "f: v "+want {
				t.Errorf("%s at %#x: %s, want %s", test.name, rel, got, want)
			}
		}
	}
}

// packed is the index of a package of version 2 (DebugFission) or 5 (section 7.3.5.3) with one unit, whose
// parts begin at the offsets.
func packed(t *testing.T, version uint32, kinds, offsets []uint32) []byte {
	s := asm.At(0).U32(version, uint32(len(kinds)), 1, 2).Zeros(2 * 12)
	return s.U32(kinds...).U32(offsets...).Zeros(4 * len(kinds)).Build(t)
}

// In a package the lists of places of a unit begin at its contribution: of .debug_loc in version 4, of
// .debug_loclists in version 5, where offsets and indexes count from there.
func TestListsOfPackage(t *testing.T) {
	place := func(version uint16, location any) *tree {
		id := says{atGNUDwoID, raw{formData8, words(0x1234)}}
		return newTree().unit(version, tag(tagCompileUnit, id, base("int", encodingSigned, 4),
			tag(tagSubprogram, "f", says{atLowPC, raw{formGNUAddrIndex, []byte{0}}}, says{atHighPC, 0x100}, tag(tagVariable, "v", of("int"), says{atLocation, location}))))
	}
	const moved = 32
	list4 := []byte{2, 0, 1, 2, 0, opLit0 + 7, opStackValue, 0}
	list5 := []byte{2, 0, 1, 2, opLit0 + 7, opStackValue, 0}
	table := func(list []byte) []byte { return asm.At(0).Zeros(12).U32(4).Bytes(list).Build(t) } // its header, one offset
	for _, test := range []struct {
		name    string
		d       *tree
		section string
		data    []byte
		version uint32
	}{
		{".debug_loc", place(4, off32(0)), "loc", list4, 2},
		{".debug_loclists by offset", place(5, off32(16)), "loclists", table(list5), 5},
		{".debug_loclists by index", place(5, raw{formLoclistx, []byte{0}}), "loclists", table(list5), 5},
	} {
		sections := test.d.sections(t, map[string][]byte{
			test.section: append(bytes.Repeat([]byte{0xee}, moved), test.data...),
			"cu_index":   packed(t, test.version, []uint32{packageInfo, packageLoclists}, []uint32{0, moved}),
		})
		f := addSplit(open(skeleton4(t, codeOfSkeleton...), Options{}), sections)
		if got, want := values.Shown(frame(f, 0x1010, nil)), "f: v = 7"; got != want {
			t.Errorf("%s: %s, want %s", test.name, got, want)
		}
		check(t, f)
	}
}

// The ranges of a function in a package count from the contribution of its unit to .debug_rnglists.
func TestRangesOfPackage(t *testing.T) {
	const moved = 24
	lists := asm.At(0).Bytes(bytes.Repeat([]byte{0xee}, moved)).Zeros(12).U32(4).U8(rangeStartxLength, 1, 0x10, rangeEnd).Build(t)
	for name, list := range map[string]raw{"by index": {formRnglistx, []byte{0}}, "by offset": off32(16)} {
		d := newTree().unit(5, tag(tagCompileUnit, says{atGNUDwoID, raw{formData8, words(0x1234)}}, tag(tagSubprogram, "f", says{atRanges, list})))
		f := addSplit(open(skeleton4(t, codeOfSkeleton...), Options{}), d.sections(t, map[string][]byte{
			"rnglists": lists, "cu_index": packed(t, 5, []uint32{packageInfo, packageRnglists}, []uint32{0, moved}),
		}))
		if loc, _ := f.Locate(0x1035); loc.Function != "f" || loc.Start != 0x1030 || loc.Size != 0x10 {
			t.Errorf("%s: %+v", name, loc)
		}
		check(t, f)
	}
}

// Indexes of packages that are damaged are left out, with a note. In big-endian files the version of an
// index of version 5 is in the upper half of four bytes.
func TestPackageIndexes(t *testing.T) {
	head := func(version, columns, units, slots uint32) *asm.Section {
		return asm.At(0).U32(version, columns, units, slots)
	}
	for _, test := range []struct {
		name  string
		index []byte
		big   bool
		want  string
	}{
		{name: "nothing", want: "<nil>"},
		{name: "no units", index: head(5, 0, 0, 0).Build(t), want: "<nil>"},
		{name: "big-endian", index: asm.At(0).BigEndian().U16(5, 0).U32(1, 1, 0, packageInfo, 0x20).Build(t), big: true, want: "<nil>"},
		{name: "big-endian version 2", index: asm.At(0).BigEndian().U32(2, 1, 1, 0, packageInfo, 0x20).Build(t), big: true, want: "<nil>"},
		{name: "a header that is truncated", index: head(5, 1, 1, 1).Build(t)[:15], want: "dwarf: .debug_cu_index: version 5 with 1 sections, 1 units in 0 slots"},
		{name: "too many sections", index: head(5, maxColumns+1, 1, 1).Build(t), want: "dwarf: .debug_cu_index: version 5 with 65 sections, 1 units in 1 slots"},
		{name: "too many units", index: head(5, 1, maxUnits+1, 1).Build(t), want: "dwarf: .debug_cu_index: version 5 with 1 sections, 262145 units in 1 slots"},
		{name: "too many slots", index: head(5, 1, 1, 4*maxUnits+1).Build(t), want: "dwarf: .debug_cu_index: version 5 with 1 sections, 1 units in 1048577 slots"},
		{name: "slots that are truncated", index: head(2, 1, 1, 2).Zeros(23).Build(t), want: "dwarf: .debug_cu_index: 1 units of 1 sections do not fit 39 bytes"},
		{name: "offsets that are truncated", index: head(2, 1, 2, 0).U32(packageInfo, 0).Build(t), want: "dwarf: .debug_cu_index: 2 units of 1 sections do not fit 24 bytes"},
	} {
		g := open(map[string][]byte{"cu_index": test.index}, Options{BigEndian: test.big}).main
		if got := fmt.Sprint(g.readPackage()); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if strings.HasPrefix(test.name, "big") {
			if _, ok := g.packed[0x20]; !ok || len(g.packed) != 1 {
				t.Errorf("%s: units %v", test.name, g.packed)
			}
		}
	}
}
