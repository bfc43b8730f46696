package dwarf

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
)

// Sets of .debug_aranges (section 6.1.2): of addresses of 4 and 8 bytes, in DWARF64, with and without
// an end, and damaged. Each range is drawn as unit:start-end.
func TestAranges(t *testing.T) {
	set8 := set(t, 0x20, 0x1000, 0x10, 0x2000, 0x20)
	set4 := asm.At(0).Dist32("from", "to").Mark("from").U16(2).U32(0x40).U8(4, 0).Zeros(4).
		U32(0x3000, 0x10, 0, 0).Mark("to").Build(t)
	wide := asm.At(0).U32(1<<32-1).U64(12+8+32).U16(2).U64(0x60).U8(8, 0).Zeros(8).U64(0x4000, 0x10, 0, 0).Build(t)
	for _, test := range []struct {
		name string
		data []byte
		want string
		err  string
	}{
		{"nothing", nil, "[]", ""},
		{"two ranges", set8, "[20:1000-1010 20:2000-2020]", ""},
		{"addresses of 4 bytes", set4, "[40:3000-3010]", ""},
		{"DWARF64", wide, "[60:4000-4010]", ""},
		{"pairs lie at multiples of their size from their own set", slices.Concat(set4, []byte{}, set8, wide), "[40:3000-3010 20:1000-1010 20:2000-2020 60:4000-4010]", ""},
		{"no pairs", set(t, 0x20), "[]", ""},
		{"no end", replaced(set8[:48], 0, 44), "[20:1000-1010 20:2000-2020]", ""},
		{"an end and more", set(t, 0x20, 0x1000, 0x10, 0, 0, 0x2000, 0x20), "[20:1000-1010]", ""},
		{"an empty range is no end", set(t, 0x20, 0x1000, 0, 0x2000, 0x20), "[20:2000-2020]", ""},
		{"dropped code at 0 is no end", set(t, 0x20, 0, 0x10, 0x2000, 0x20), "[20:2000-2020]", ""},
		{"a range up to the last address", set(t, 0x20, 0x1000, ^uint64(0)-0x1000), "[20:1000-ffffffffffffffff]", ""},
		{"a range that begins anew at 0", set(t, 0x20, 0x1000, ^uint64(0)), "[]", ""},
		{"version 3", replaced(set8, 4, 3), "[]", "dwarf: .debug_aranges at 0x0: version 3 with selectors of 0 bytes, known is 2 without"},
		{"selectors of segments", replaced(set8, 11, 4), "[]", "dwarf: .debug_aranges at 0x0: version 2 with selectors of 4 bytes, known is 2 without"},
		{"a header that is truncated", []byte{3, 0, 0, 0, 2, 0, 1}, "[]", "dwarf: .debug_aranges at 0x0: version 2 with selectors of 0 bytes, known is 2 without"},
		{"a length that is truncated", []byte{3, 0}, "[]", "dwarf: .debug_aranges at 0x0: set of 0 bytes, the section has 0 more"},
		{"a set that is truncated", slices.Concat(set4, set8[:20]), "[40:3000-3010]", "dwarf: .debug_aranges at 0x20: set of 60 bytes, the section has 16 more"},
	} {
		f := open(map[string][]byte{"aranges": test.data}, Options{})
		got, units := []string{}, []uint64{}
		err := f.eachArange(func(off uint64, addr uint8) (int32, bool) {
			if wanted := map[uint64]uint8{0x20: 8, 0x40: 4, 0x60: 8}[off]; wanted != addr {
				t.Errorf("%s: unit %#x with addresses of %d bytes", test.name, off, addr)
			}
			units = append(units, off)
			return int32(len(units) - 1), true
		}, func(p unitSpan) { got = append(got, fmt.Sprintf("%x:%x-%x", units[p.unit], p.start, p.end)) })
		if text := fmt.Sprint(got); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
		if text := fmt.Sprint(err); text != test.err && (err != nil || test.err != "") {
			t.Errorf("%s: %s, want %s", test.name, text, test.err)
		}
	}
}

// Sets of units that are not there, or whose addresses have another size, are left out. A defect of the
// section is noted, and functions are found without it.
func TestArangesOfWrongUnits(t *testing.T) {
	info := slices.Concat(namedUnit(t, "f", 0x1000, 0), namedUnit(t, "g", 0x2000, 0))
	narrow := asm.At(0).Dist32("from", "to").Mark("from").U16(2).U32(0).U8(4, 0).Zeros(4).U32(0x1000, 0x10, 0, 0).Mark("to").Build(t)
	for _, test := range []struct {
		name    string
		aranges []byte
		found   bool
		note    string
	}{
		{name: "right", aranges: set(t, 0, 0x1000, 0x10), found: true, note: "[]"},
		{name: "inside of a unit", aranges: set(t, 1, 0x1000, 0x10), note: "[]"},
		{name: "addresses of another size", aranges: narrow, note: "[]"},
		{name: "damaged behind it", aranges: slices.Concat(set(t, 0, 0x1000, 0x10), []byte{0xff}), found: true,
			note: "[dwarf: .debug_aranges at 0x30: set of 0 bytes, the section has 0 more]"},
	} {
		f := openInfo(info)
		f.main.sections["aranges"] = newSection("aranges", source(test.aranges))
		f.mu.Lock()
		x, err := f.readIndex()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time it is only looked up
			if id, ok := f.arangesOf(x).at(0x100f); ok != test.found || ok && x.units[id].off != 0 {
				t.Errorf("%s: unit %d, %v", test.name, id, ok)
			}
		}
		if _, ok := f.arangesOf(x).at(0x1010); ok {
			t.Errorf("%s: a unit behind the range", test.name)
		}
		f.mu.Unlock()
		if got := fmt.Sprint(f.Notes()); got != test.note {
			t.Errorf("%s: %s, want %s", test.name, got, test.note)
		}
		if loc, _ := f.Locate(0x1008); loc.Function != "f" {
			t.Errorf("%s: %+v", test.name, loc)
		}
	}
}
