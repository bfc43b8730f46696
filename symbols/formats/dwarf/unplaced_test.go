package dwarf

import (
	"fmt"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// set is one unit's part of .debug_aranges: pairs of an address and a size.
func set(t *testing.T, unit int, pairs ...uint64) []byte {
	return asm.At(0).Dist32("from", "to").Mark("from").U16(2).U32(uint32(unit)).U8(8, 0).Zeros(4).
		U64(pairs...).U64(0, 0).Mark("to").Build(t)
}

// arangesOfInterleaved says of each unit of such a file where its functions are.
func arangesOfInterleaved(t *testing.T, info []byte, units, turns uint64) (out []byte) {
	size := len(info) / int(units) // the names of tests have one length
	for n := range units {
		var pairs []uint64
		for k := range turns {
			pairs = append(pairs, 0x1000+16*(n+units*k), 8)
		}
		out = append(out, set(t, int(n)*size, pairs...)...)
	}
	return out
}

// TestArangesInCrowd reads the unit that .debug_aranges names and no other, and
// all of them when that unit turns out to have no function there.
func TestArangesInCrowd(t *testing.T) {
	const units, turns = 10, 9
	const asked = 0x1000 + 16*(1+units*4) // of unit 1
	for _, tt := range []struct {
		name    string
		aranges func(right []byte) []byte
		read    int // units of the first question
	}{
		{"right", func(right []byte) []byte { return right }, 1},
		{"truncated", func(right []byte) []byte { return right[:len(right)-1] }, 1},
		{"none", func([]byte) []byte { return nil }, units + 1},
		{"of another unit", func(right []byte) []byte { return append(right[len(right)/10:], right[:len(right)/10]...) }, 1},
		{"wrong", func(right []byte) []byte { return set(t, 0, asked, 8) }, units + 2},
		{"of no unit", func(right []byte) []byte { return set(t, 1, asked, 8) }, units + 1},
		{"damaged", func(right []byte) []byte { return []byte{1, 0, 0, 0, 9} }, units + 1},
	} {
		sections := interleaved(t, units, turns)
		sections["aranges"] = tt.aranges(arangesOfInterleaved(t, sections["info"], units, turns))
		f := open(sections, Options{})
		if _, err := f.Covered(); err != nil { // tables of abbreviations are read by now
			t.Fatal(err)
		}
		allowed := left(f)
		f.Function(asked)
		used := int(allowed-left(f)) - len(sections["aranges"])
		if size := len(sections["info"]) / units; used != tt.read*size {
			t.Errorf("%s: %d bytes were read, want %d units of %d", tt.name, used, tt.read, size)
		}
		wantInterleaved(t, f, units, turns)
	}
}

// TestUnplacedUnits has more units without ranges than are read in any case. The line program of each
// then says whether the unit has code, and one in a hundred has.
func TestUnplacedUnits(t *testing.T) {
	const units = 600
	var info, lines []byte
	for n := range uint64(units) {
		program := header{4, 1, 1}.program(t, func(s *asm.Section) {
			if n%100 == 0 {
				s.U8(0, 9, lineSetAddress).U64(0x1000+16*n).U8(lineCopy, lineAdvancePC).U8(8).U8(0, 1, lineEndSequence)
			}
		})
		info = append(info, unit4(func(s *asm.Section) {
			s.U8(1).U32(uint32(len(lines)))
			if n%100 == 0 {
				s.U8(2).Bytes(text("f")).U64(0x1000 + 16*n).U32(8)
			}
			s.U8(0).Zeros(64 << 10)
		}).Build(t)...)
		lines = append(lines, program...)
	}
	f := open(map[string][]byte{"info": info, "line": lines, "abbrev": abbrevs(
		decl(1, tagCompileUnit, 1, attr{atStmtList, formSecOffset}),
		decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
	)}, Options{})
	allowed := left(f)
	found := 0
	for n := range uint64(units) {
		if loc, ok := f.Locate(0x1000 + 16*n); ok {
			found++
			if loc.Function != "f" || loc.Line != 1 {
				t.Errorf("%#x: %+v", 0x1000+16*n, loc)
			}
		}
		f.Locate(0x1000 + 16*n + 9)
	}
	listed := 0
	if err := f.EachFunction(func(*symbolize.Function) error { listed++; return nil }); err != nil {
		t.Fatal(err)
	}
	if found != units/100 || listed != units/100 {
		t.Errorf("%d functions found, %d listed, want %d", found, listed, units/100)
	}
	if used := allowed - left(f); used > int64(3*len(info)) {
		t.Errorf("%d bytes were read of %d", used, len(info))
	}
	check(t, f)
}

// TestUnitsPlacedByAranges has two units that say nothing: what .debug_aranges
// says of one is enough, and the functions of the other are found all the same.
func TestUnitsPlacedByAranges(t *testing.T) {
	var info []byte
	for n := range uint64(2) {
		info = append(info, unit4(func(s *asm.Section) {
			s.U8(1, 2).Bytes(text(fmt.Sprint("f", n))).U64(0x1000 + 16*n).U32(8).U8(0)
		}).Build(t)...)
	}
	f := open(map[string][]byte{"info": info, "aranges": set(t, 0, 0x1000, 8), "abbrev": abbrevs(
		decl(1, tagCompileUnit, 1),
		decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
	)}, Options{})
	for n := range uint64(2) {
		if fn, _ := f.Function(0x1000 + 16*n); fn.Name != fmt.Sprint("f", n) || f.x.evidence != []int{1, 3}[n] {
			t.Errorf("%d: %+v after %d kinds of evidence", n, fn, f.x.evidence)
		}
	}
	check(t, f)
}
