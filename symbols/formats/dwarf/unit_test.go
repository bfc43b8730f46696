package dwarf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// Headers of units of all versions (section 7.5.1): what is read of them, where the first entry is, and
// what is said of damaged ones.
func TestUnitHeaders(t *testing.T) {
	le := func(n int, v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v)[:n] }
	for _, test := range []struct {
		name string
		data []byte // behind the length
		want string
	}{
		{"version 2", slices.Concat(le(2, 2), le(4, 0x11), []byte{4}), "2 kind 1 addr 4 abbrevs 0x11 id 0x0 first 0xb"},
		{"version 4", slices.Concat(le(2, 4), le(4, 0x11), []byte{8}), "4 kind 1 addr 8 abbrevs 0x11 id 0x0 first 0xb"},
		{"a CPU of 16 bits", slices.Concat(le(2, 4), le(4, 0x11), []byte{2}), "4 kind 1 addr 2 abbrevs 0x11 id 0x0 first 0xb"},
		{"version 5", slices.Concat(le(2, 5), []byte{unitCompile, 8}, le(4, 0x11)), "5 kind 1 addr 8 abbrevs 0x11 id 0x0 first 0xc"},
		{"a partial unit", slices.Concat(le(2, 5), []byte{unitPartial, 8}, le(4, 0x11)), "5 kind 3 addr 8 abbrevs 0x11 id 0x0 first 0xc"},
		{"a skeleton", slices.Concat(le(2, 5), []byte{unitSkeleton, 8}, le(4, 0x11), le(8, 0x99)), "5 kind 4 addr 8 abbrevs 0x11 id 0x99 first 0x14"},
		{"a split unit", slices.Concat(le(2, 5), []byte{unitSplitCompile, 8}, le(4, 0x11), le(8, 0x99)), "5 kind 5 addr 8 abbrevs 0x11 id 0x99 first 0x14"},
		{"a unit of a type", slices.Concat(le(2, 5), []byte{unitType, 8}, le(4, 0x11), le(8, 0x99), le(4, 0x30)), "5 kind 2 addr 8 abbrevs 0x11 id 0x0 first 0x18"},
		{"version 0", le(7, 0), "dwarf: .debug_info at 0x40: version 0, known are 2 to 5"},
		{"version 1", le(7, 1), "dwarf: .debug_info at 0x40: version 1, known are 2 to 5"},
		{"version 6", le(7, 6), "dwarf: .debug_info at 0x40: version 6, known are 2 to 5"},
		{"addresses of 3 bytes", slices.Concat(le(2, 4), le(4, 0), []byte{3}), "dwarf: .debug_info at 0x40: addresses of 3 bytes"},
		{"addresses of 0 bytes", slices.Concat(le(2, 5), []byte{unitCompile, 0}, le(4, 0)), "dwarf: .debug_info at 0x40: addresses of 0 bytes"},
		{"an empty header", nil, "dwarf: .debug_info at 0x40: version 0, known are 2 to 5"},
		{"truncated before the size of addresses", slices.Concat(le(2, 4), le(4, 0)), "dwarf: .debug_info at 0x40: the header is truncated"},
		{"truncated before the id", slices.Concat(le(2, 5), []byte{unitSkeleton, 8}, le(4, 0), le(7, 0)), "dwarf: .debug_info at 0x40: the header is truncated"},
		{"truncated before the place of the type", slices.Concat(le(2, 5), []byte{unitType, 8}, le(4, 0), le(8, 0), le(3, 0)), "dwarf: .debug_info at 0x40: the header is truncated"},
	} {
		u := &unit{off: 0x40}
		u.sizes.offset = 4
		r := buffer{b: append(make([]byte, 4), test.data...), at: 4}
		got := ""
		if err := u.header(&r); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprintf("%d kind %d addr %d abbrevs %#x id %#x first %#x", u.version, u.kind, u.addr, u.abbrevs, u.id, r.at)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Tables that indices count from begin behind a header where no attribute says so (sections 7.26 to
// 7.29). GNU's extension of version 4 has no headers.
func TestFirstIndex(t *testing.T) {
	for _, test := range []struct {
		version      uint16
		offset       uint8
		strOffsets   uint64
		lists, addrs uint64
	}{{4, 4, 0, 0, 0}, {4, 8, 0, 0, 0}, {5, 4, 8, 12, 8}, {5, 8, 16, 20, 16}} {
		u := &unit{sizes: sizes{version: test.version, offset: test.offset}}
		if s, l, a := u.firstIndex(); s != test.strOffsets || l != test.lists || a != test.addrs {
			t.Errorf("version %d with offsets of %d bytes: %d, %d, %d", test.version, test.offset, s, l, a)
		}
	}
}

// Units of DWARF64 have offsets of eight bytes in headers and forms, and 16 bytes before their strings.
func TestUnitOfDWARF64(t *testing.T) {
	body := asm.At(0).U16(5).U8(unitCompile, 8).U64(0)
	body.U8(1).U64(0x1000).U16(0x100)
	body.U8(2).U64(7).U64(0x1000).U8(0x10)
	body.U8(3).U8(1).U64(0x1010).U8(0x10)
	at := uint64(12+2+2+8) + 11 // of the function right, in the section
	body.U8(4).U64(at).U64(0x1020).U8(0x10).U8(0)
	data := body.Build(t)
	f := open(map[string][]byte{
		"info":        slices.Concat(bytes.Repeat([]byte{0xff}, 4), words(uint64(len(data))), data),
		"str":         []byte("\x00wrong\x00right\x00"),
		"str_offsets": slices.Concat(make([]byte, 16), words(1, 7)),
		"abbrev": abbrevs(
			decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formData2}),
			decl(2, tagSubprogram, 0, attr{atName, formStrp}, attr{atLowPC, formAddr}, attr{atHighPC, formData1}),
			decl(3, tagSubprogram, 0, attr{atName, formStrx1}, attr{atLowPC, formAddr}, attr{atHighPC, formData1}),
			decl(4, tagSubprogram, 0, attr{atAbstractOrigin, formRefAddr}, attr{atLowPC, formAddr}, attr{atHighPC, formData1}),
		),
	}, Options{})
	for _, rel := range []uint64{0x1000, 0x1010, 0x1020} {
		if loc, _ := f.Locate(rel); loc.Function != "right" || loc.Start != rel {
			t.Errorf("%#x: %+v", rel, loc)
		}
	}
	check(t, f)
}

// In version 2 DW_FORM_ref_addr has the size of an address (DWARF 2, section 7.5.4).
func TestReferenceOfVersion2(t *testing.T) {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(2).U32(0).U8(8)
	s.U8(1).U64(0x1000).U64(0x1100).Mark("f").U8(2).Bytes(text("f")).U8(3).Ref("f").U64(0x1000).U64(0x1010).U8(0).Mark("to")
	f := open(map[string][]byte{"info": s.Build(t), "abbrev": abbrevs(
		decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formAddr}),
		decl(2, tagSubprogram, 0, attr{atName, formString}),
		decl(3, tagSubprogram, 0, attr{atAbstractOrigin, formRefAddr}, attr{atLowPC, formAddr}, attr{atHighPC, formAddr}),
	)}, Options{})
	if loc, _ := f.Locate(0x100f); loc.Function != "f" || loc.Size != 0x10 {
		t.Errorf("%+v", loc)
	}
	check(t, f)
}

// A big-endian file turns round all numbers, also those of three bytes.
func TestBigEndianUnit(t *testing.T) {
	s := asm.At(0).BigEndian().Dist32("from", "to").Mark("from").U16(5).U8(unitCompile, 4).U32(0)
	s.U8(1).U32(0x1000).U16(0x100).U32(8)
	s.U8(2).U8(0, 0, 1).U32(0x1000).U8(0x10)
	s.U8(3).U32(1).U8(0, 0, 1).U8(0x10).U8(0).Mark("to")
	f := open(map[string][]byte{
		"info": s.Build(t), "str": []byte("\x00right\x00"),
		"str_offsets": asm.At(0).BigEndian().Zeros(8).U32(0, 1).Build(t),
		"addr":        asm.At(0).BigEndian().Zeros(8).U32(0, 0x1010).Build(t),
		"abbrev": abbrevs(
			decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formData2}, attr{atAddrBase, formSecOffset}),
			decl(2, tagSubprogram, 0, attr{atName, formStrx3}, attr{atLowPC, formAddr}, attr{atHighPC, formData1}),
			decl(3, tagSubprogram, 0, attr{atName, formStrp}, attr{atLowPC, formAddrx3}, attr{atHighPC, formData1}),
		),
	}, Options{BigEndian: true})
	for _, rel := range []uint64{0x1000, 0x1010} {
		if loc, _ := f.Locate(rel + 8); loc.Function != "right" || loc.Start != rel {
			t.Errorf("%#x: %+v", rel, loc)
		}
	}
	check(t, f)
}

// Tables of abbreviations that are damaged (section 7.5.3): the unit that needs one is lost, or what
// comes behind the defect, and the note says where.
func TestDamagedAbbreviations(t *testing.T) {
	first := decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata})
	function := decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata})
	for _, test := range []struct {
		name   string
		abbrev []byte
		found  string
		note   string
	}{
		{"whole", abbrevs(first, function), "f", ""},
		{"in another order", abbrevs(function, first), "f", ""},
		{"a code twice: the first counts", abbrevs(first, function, decl(2, tagVariable, 0)), "f", ""},
		{"many attributes that need no step", abbrevs(first, slices.Concat(function[:len(function)-2], bytes.Repeat([]byte{0x3f, formFlagPresent}, maxOps-3), []byte{0, 0})), "f", ""},
		{"too many attributes", abbrevs(first, slices.Concat(function[:len(function)-2], bytes.Repeat([]byte{0x3f, formUdata}, maxOps), []byte{0, 0})), "",
			"dwarf: .debug_abbrev at 0x9: the declaration is damaged, or truncated after 8204 bytes"},
		{"empty", nil, "", "dwarf: .debug_abbrev at 0x0: 4096 bytes reach beyond the end of the file at 0x0"},
		{"without the first one", abbrevs(function), "", "dwarf: .debug_info at 0xc: abbreviation 1 is not in the table at 0x0"},
		{"without the function's", abbrevs(first), "", "dwarf: .debug_info at 0x16: abbreviation 2 is not in the table at 0x0"},
		{"without an end", slices.Concat(first, function), "", "dwarf: .debug_abbrev at 0x14: the declaration is damaged, or truncated after 0 bytes"},
		{"truncated in a declaration", slices.Concat(first, function[:5]), "", "dwarf: .debug_abbrev at 0x9: the declaration is damaged, or truncated after 5 bytes"},
		{"a form of 0", abbrevs(first, decl(2, tagSubprogram, 0, attr{atName, 0}, attr{atLowPC, formAddr})), "", "dwarf: .debug_abbrev at 0x9: the declaration is damaged, or truncated after 10 bytes"},
		{"a tag above 65535", abbrevs(first, decl(2, 0x1_002e, 0)), "", "dwarf: .debug_abbrev at 0x9: the declaration is damaged, or truncated after 8 bytes"},
		{"an attribute above 65535", abbrevs(first, decl(2, tagSubprogram, 0, attr{0x1_0003, formString})), "", "dwarf: .debug_abbrev at 0x9: the declaration is damaged, or truncated after 10 bytes"},
		{"a form above 65535", abbrevs(first, decl(2, tagSubprogram, 0, attr{atName, 0x1_0008})), "", "dwarf: .debug_abbrev at 0x9: the declaration is damaged, or truncated after 10 bytes"},
	} {
		f := openInfo(namedUnit(t, "f", 0x1000, 0))
		f.main.sections["abbrev"] = newSection("abbrev", source(test.abbrev))
		if loc, _ := f.Locate(0x1008); loc.Function != test.found {
			t.Errorf("%s: %+v", test.name, loc)
		}
		if got := strings.Join(f.Notes(), "\n"); got != test.note {
			t.Errorf("%s: %s, want %s", test.name, got, test.note)
		}
	}
}

// A table that is longer than what is read at once is read on where it was. Its codes may have gaps.
func TestLongAbbreviations(t *testing.T) {
	decls := [][]byte{decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata})}
	for code := range uint64(3000) {
		decls = append(decls, decl(2*code+10, tagVariable, 0, attr{0x3f, formData1}))
	}
	decls = append(decls, decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}))
	f := openInfo(namedUnit(t, "f", 0x1000, 0))
	f.main.sections["abbrev"] = newSection("abbrev", source(abbrevs(decls...)))
	if loc, _ := f.Locate(0x1008); loc.Function != "f" {
		t.Errorf("%+v", loc)
	}
	table, err := f.main.parseTable(tableKey{0, sizes{version: 5, addr: 8, offset: 4}}, true)
	if err != nil || len(table.list) != len(decls) {
		t.Fatalf("%d abbreviations of %d, %v", len(table.list), len(decls), err)
	}
	for code, tag := range map[uint64]uint16{1: tagCompileUnit, 2: tagSubprogram, 10: tagVariable, 3000: tagVariable, 6008: tagVariable} {
		if a := table.find(code); a == nil || a.code != code || a.tag != tag {
			t.Errorf("%d: %+v", code, a)
		}
	}
	for _, code := range []uint64{0, 3, 11, 3001, 6010, 1 << 63} {
		if a := table.find(code); a != nil {
			t.Errorf("%d: %+v", code, a)
		}
	}
	check(t, f)
}

// Attributes that are not wanted are skipped in as few steps as their forms allow.
func TestSkippingSteps(t *testing.T) {
	s := sizes{version: 5, addr: 8, offset: 4}
	for _, test := range []struct {
		name  string
		attrs []attr
		want  string
	}{
		{"fixed sizes are added", []attr{{0x3f, formData4}, {0x3f, formAddr}, {0x3f, formData1}}, "skip 13"},
		{"nothing to skip", []attr{{0x3f, formFlagPresent}}, ""},
		{"a variable size between", []attr{{0x3f, formData4}, {0x3f, formUdata}, {0x3f, formData2}}, "skip 4, form 0xf, skip 2"},
		{"a wanted one between", []attr{{0x3f, formData4}, {atName, formStrp}, {0x3f, formData2}, {0x3f, formFlagPresent}}, "skip 4, name 0x3, skip 2"},
	} {
		r := buffer{b: decl(9, tagSubprogram, 1, test.attrs...)}
		a := parseAbbrev(&r, s, false, nil)
		var steps []string
		for _, o := range a.ops {
			switch {
			case o.name != 0:
				steps = append(steps, fmt.Sprintf("name %#x", o.name))
			case o.form != 0:
				steps = append(steps, fmt.Sprintf("form %#x", o.form))
			default:
				steps = append(steps, fmt.Sprintf("skip %d", o.skip))
			}
		}
		if got := strings.Join(steps, ", "); got != test.want || a.code != 9 || a.tag != tagSubprogram || !a.children || r.bad || r.len() > 0 {
			t.Errorf("%s: %s of %+v, want %s", test.name, got, a, test.want)
		}
	}
}
