package dwarf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// namedUnit is a unit with one function of 16 bytes, and some bytes that are no entries. Its length
// is 44 bytes plus those of the name and the others.
func namedUnit(t *testing.T, name string, addr uint64, others int) []byte {
	return unit5(func(s *asm.Section) {
		s.U8(1).U64(addr).Bytes(asm.ULEB(0x10))
		s.U8(2).Bytes(text(name)).U64(addr).Bytes(asm.ULEB(0x10))
		s.U8(0).Bytes(bytes.Repeat([]byte{0xaa}, others))
	}).Build(t)
}

// openInfo opens a .debug_info of such units.
func openInfo(info []byte) *File {
	return open(map[string][]byte{
		"info": info,
		"abbrev": abbrevs(
			decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
			decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		),
	}, Options{})
}

// A copy with a hole lost pages of the section. The units behind the hole are found again, wherever
// the hole begins and ends.
func TestUnitsBehindHole(t *testing.T) {
	a, b, c := namedUnit(t, "a", 0x1000, 0), namedUnit(t, "b", 0x2000, 0x200), namedUnit(t, "c", 0x3000, 0)
	d := namedUnit(t, "d", 0x4000, 0)
	n := len(a)
	for _, test := range []struct {
		name  string
		info  []byte
		found string // the functions that are left
		note  string
	}{
		{"64 KiB of zeros between two units", slices.Concat(a, make([]byte, 64<<10), c, d), "a c d",
			fmt.Sprintf("dwarf: .debug_info at %#x: version 0, known are 2 to 5; reading goes on at %#x", n, n+64<<10)},
		{"zeros that are not a multiple of four bytes", slices.Concat(a, make([]byte, 1<<20+3), c, d), "a c d",
			fmt.Sprintf("dwarf: .debug_info at %#x: version 0, known are 2 to 5; reading goes on at %#x", n, n+1<<20+3)},
		{"zeros at the start", slices.Concat(make([]byte, 77), c, d), "c d",
			"dwarf: .debug_info at 0x0: version 0, known are 2 to 5; reading goes on at 0x4d"},
		{"zeros from the header of a unit to its middle", slices.Concat(a, zeroed(b, 0, 0x80), c, d), "a c d",
			fmt.Sprintf("dwarf: .debug_info at %#x: version 0, known are 2 to 5; reading goes on at %#x", n, n+len(b))},
		{"a length beyond the section", slices.Concat(a, replaced(b, 0, 0, 0, 0, 0x10), c, d), "a c d",
			fmt.Sprintf("dwarf: .debug_info at %#x: unit of 268435456 bytes, the section has %d more; reading goes on at %#x", n, len(b)+len(c)+len(d)-4, n+len(b))},
		{"a reserved length", slices.Concat(a, replaced(b, 0, 0xf0, 0xff, 0xff, 0xff), c, d), "a c d",
			fmt.Sprintf("dwarf: .debug_info at %#x: the length of a unit is truncated, or the reserved 0xfffffff0; reading goes on at %#x", n, n+len(b))},
		{"one unit is left, the last", slices.Concat(a, make([]byte, 64<<10), c), "a c",
			fmt.Sprintf("dwarf: .debug_info at %#x: version 0, known are 2 to 5; reading goes on at %#x", n, n+64<<10)},
		{"nothing is left", slices.Concat(a, make([]byte, 64<<10)), "a",
			fmt.Sprintf("dwarf: .debug_info at %#x: version 0, known are 2 to 5; no unit follows", n)},
		{"the last unit is truncated", slices.Concat(a, c[:len(c)-1]), "a",
			fmt.Sprintf("dwarf: .debug_info at %#x: unit of %d bytes, the section has %d more; no unit follows", n, len(c)-4, len(c)-5)},
	} {
		f := openInfo(test.info)
		found := []string{}
		for _, addr := range []uint64{0x1000, 0x2000, 0x3000, 0x4000} {
			if loc, ok := f.Locate(addr); ok {
				found = append(found, loc.Function)
			}
		}
		if got := strings.Join(found, " "); got != test.found {
			t.Errorf("%s: found %q, want %q", test.name, got, test.found)
		}
		if got := strings.Join(f.Notes(), "\n"); got != test.note {
			t.Errorf("%s: notes\n\t%s\nwant\n\t%s", test.name, got, test.note)
		}
	}
}

// zeroed is data with zeros from one offset to another.
func zeroed(data []byte, from, to int) []byte {
	out := bytes.Clone(data)
	clear(out[from:to])
	return out
}

// replaced is data with other bytes at an offset.
func replaced(data []byte, at int, with ...byte) []byte {
	out := bytes.Clone(data)
	copy(out[at:], with)
	return out
}

// Units of an unknown version are left out. A file may have only so many damaged units between good
// ones.
func TestUnitsOfAnotherVersion(t *testing.T) {
	other := []byte{7, 0, 0, 0, 9, 0, 0, 0, 0, 0, 8}
	types := []byte{20, 0, 0, 0, 5, 0, 2, 8, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0}
	f := namedUnit(t, "f", 0x1000, 0)
	for _, test := range []struct {
		name string
		info []byte
		want string
		note string
	}{
		{"one", slices.Concat(other, f), "f", "dwarf: .debug_info at 0x0: version 9, known are 2 to 5"},
		{"neighbours", slices.Concat(other, other, other, f), "f", "dwarf: .debug_info at 0x0: version 9, known are 2 to 5; reading goes on at 0x21"},
		{"as many as are read", slices.Concat(bytes.Repeat(slices.Concat(other, types), maxDamaged-1), f), "f", "dwarf: .debug_info at 0x0: version 9, known are 2 to 5"},
		{"too many", slices.Concat(bytes.Repeat(slices.Concat(other, types), maxDamaged), f), "", "dwarf: .debug_info at 0x0: version 9, known are 2 to 5"},
	} {
		file := openInfo(test.info)
		if loc, _ := file.Locate(0x1000); loc.Function != test.want || file.Notes()[0] != test.note {
			t.Errorf("%s: %+v, %q", test.name, loc, file.Notes()[0])
		}
	}
	file := openInfo(slices.Concat(other, types, f))
	file.main.damaged = maxDamaged - 1
	file.Locate(0x1000)
	if got := file.Notes()[1]; got != "dwarf: .debug_info at 0xb: units after 16384 damaged ones are not read" {
		t.Error(got)
	}
}

// What looks like a header behind a hole counts only if a unit or the end of the section follows its
// unit, and only so many are tried.
func TestFalseHeaders(t *testing.T) {
	false4 := []byte{7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 0xff, 0xff} // two bytes more than its length says
	for n, want := range map[int]string{1: "f", maxWrong - 2: "f", maxWrong: ""} {
		f := openInfo(slices.Concat(make([]byte, 16), bytes.Repeat(false4, n), namedUnit(t, "f", 0x1000, 0), namedUnit(t, "g", 0x2000, 0)))
		if loc, _ := f.Locate(0x1000); loc.Function != want {
			t.Errorf("behind %d false headers: %+v", n, loc)
		}
	}
}

// A header is believed only if all of its fields make sense.
func TestHeaderAt(t *testing.T) {
	g := openInfo(make([]byte, 100)).main // whose abbreviations have 21 bytes
	for _, test := range []struct {
		name string
		at   uint64
		data []byte
		end  uint64 // 0: none
	}{
		{"version 4", 0, []byte{7, 0, 0, 0, 4, 0, 20, 0, 0, 0, 8}, 11},
		{"version 2", 60, []byte{36, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4}, 100},
		{"version 5", 0, []byte{8, 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0}, 12},
		{"version 5, a split type in DWARF64", 0, []byte{255, 255, 255, 255, 28, 0, 0, 0, 0, 0, 0, 0, 5, 0, 6, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0}, 40},
		{"the unit ends behind the section", 60, []byte{37, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4}, 0},
		{"a unit shorter than a header", 0, []byte{6, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8}, 0},
		{"a unit shorter than the header of version 5", 0, []byte{7, 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0}, 0},
		{"version 1", 0, []byte{7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8}, 0},
		{"version 6", 0, []byte{7, 0, 0, 0, 6, 0, 0, 0, 0, 0, 8}, 0},
		{"unit type 0", 0, []byte{8, 0, 0, 0, 5, 0, 0, 8, 0, 0, 0, 0}, 0},
		{"unit type 7", 0, []byte{8, 0, 0, 0, 5, 0, 7, 8, 0, 0, 0, 0}, 0},
		{"addresses of 3 bytes", 0, []byte{7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 3}, 0},
		{"abbreviations behind their section", 0, []byte{7, 0, 0, 0, 4, 0, 21, 0, 0, 0, 8}, 0},
		{"a reserved length", 0, []byte{0xf0, 255, 255, 255, 4, 0, 0, 0, 0, 0, 8}, 0},
		{"truncated", 0, []byte{7, 0, 0, 0, 4, 0, 0, 0, 0, 0}, 0},
		{"truncated in the version", 0, []byte{7, 0, 0, 0, 4}, 0},
	} {
		if end, ok := g.headerAt(test.at, test.data); end != test.end || ok != (test.end > 0) {
			t.Errorf("%s: a unit to %d, %v; want %d", test.name, end, ok, test.end)
		}
	}
}

// A search that has to stop continues where it was.
func TestSearchForUnitsContinues(t *testing.T) {
	calls := 0
	data := slices.Concat(make([]byte, 10*firstWindow), namedUnit(t, "f", 0x1000, 0))
	f := openInfo(data)
	f.opt.Progress = func(done, total int64) error {
		if calls++; calls == 3 {
			return unwantedError
		}
		return nil
	}
	if loc, ok := f.Locate(0x1000); ok {
		t.Errorf("%+v before the search ended", loc)
	}
	was := f.main.next
	if loc, _ := f.Locate(0x1000); loc.Function != "f" || was < firstWindow/2 || was > firstWindow {
		t.Errorf("%+v after a search that went on at %#x", loc, was)
	}
}

// The bytes of a length may be zeros, too: a header is found wherever the hole before it ends.
func TestHeaderBehindZeros(t *testing.T) {
	long := namedUnit(t, "f", 0x1000, 0x10000-(len(namedUnit(t, "f", 0x1000, 0))-4)) // of 0x10000 bytes
	if length := long[:4]; !bytes.Equal(length, []byte{0, 0, 1, 0}) {
		t.Fatalf("a length of % x", length)
	}
	for zeros := range 24 {
		f := openInfo(slices.Concat(make([]byte, 8+zeros), long))
		if loc, _ := f.Locate(0x1000); loc.Function != "f" {
			t.Errorf("behind %d zeros: %+v, %q", 8+zeros, loc, f.Notes())
		}
	}
}
