package dwarf

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// interleaved has units as dsymutil writes them: each says that it has code
// from its first function to its last one, and the linker put the functions of
// all of them in turns. A name tells its unit and its turn.
func interleaved(t *testing.T, units, turns uint64) map[string][]byte {
	var info []byte
	for n := range units {
		info = append(info, unit4(func(s *asm.Section) {
			s.U8(1).U64(0x1000 + 16*n).U32(uint32(16*units*(turns-1) + 8))
			for k := range turns {
				s.U8(2).Bytes(text(fmt.Sprint(n, " ", k))).U64(0x1000 + 16*(n+units*k)).U32(8)
			}
			s.U8(0)
		}).Build(t)...)
	}
	return map[string][]byte{"info": info, "abbrev": abbrevs(
		decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
		decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formData4}),
	)}
}

// wantInterleaved asks for all functions of such a file, the last turn first.
func wantInterleaved(t *testing.T, f *File, units, turns uint64) {
	t.Helper()
	lost := 0
	for k := turns; k > 0; k-- {
		for n := range units {
			at := 0x1000 + 16*(n+units*(k-1))
			if fn, ok := f.Function(at + 3); !ok || fn.Start != at || fn.Name != fmt.Sprint(n, " ", k-1) {
				lost++
			}
			if fn, ok := f.Function(at + 12); ok {
				t.Fatalf("%#x: %+v, want none between functions", at+12, fn)
			}
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d functions are lost", lost, units*turns)
	}
}

// TestInterleavedUnits finds all functions, and reads each unit a few times,
// however many questions there are.
func TestInterleavedUnits(t *testing.T) {
	for _, units := range []uint64{2, 8, 9, 300, 3000} {
		sections := interleaved(t, units, 4)
		f := open(sections, Options{})
		allowed := left(f)
		wantInterleaved(t, f, units, 4)
		if used, size := allowed-left(f), int64(len(sections["info"])); used > 4*size+4096 {
			t.Errorf("%d units: %d bytes were read of %d", units, used, size)
		}
		check(t, f)
	}
}

// TestCrowdHasTheLastThatBegins has a function inside of another unit's, and
// two of one place, in a crowd: the one that begins last counts, and of those
// the first in the file.
func TestCrowdHasTheLastThatBegins(t *testing.T) {
	sections := interleaved(t, 20, 3)
	one := func(name string, start uint64, size uint32) {
		sections["info"] = append(sections["info"], unit4(func(s *asm.Section) {
			s.U8(1).U64(0x1000).U32(0x1000).U8(2).Bytes(text(name)).U64(start).U32(size).U8(0)
		}).Build(t)...)
	}
	one("outer", 0x1008, 0x100)
	one("again", 0x1010, 8)
	f := open(sections, Options{})
	for at, want := range map[uint64]string{0x1000: "0 0", 0x1008: "outer", 0x1010: "1 0", 0x101f: "outer", 0x10ff: "outer", 0x1108: ""} {
		if fn, ok := f.Function(at); fn.Name != want || ok != (want != "") {
			t.Errorf("%#x: %+v, want %q", at, fn, want)
		}
	}
}
