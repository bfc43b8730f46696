package pdb

import (
	"strconv"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// writtenType is the text of a type, and whether all of it was written.
func writtenType(t *testing.T, number uint32, records ...[]byte) (string, bool) {
	t.Helper()
	p := x86(t)
	p.types = records
	w := typeWriter{f: openBytes(t, p.build(t)), u: &unit{}}
	w.typ(number, 0)
	return w.b.String(), w.ok()
}

// TestLongestTypes has types at the bounds of a name: depth, number of types and bytes.
func TestLongestTypes(t *testing.T) {
	pointers := func(n int) (out [][]byte) { // each to the one before, the first to int
		out = append(out, rec(t, 0x1002, asm.At(0).U32(0x74, 0x1000c)))
		for i := range n - 1 {
			out = append(out, rec(t, 0x1002, asm.At(0).U32(0x1000+uint32(i), 0x1000c)))
		}
		return out
	}
	for n, want := range map[int]bool{1: true, 20: true, maxTypeDepth + 10: false} {
		got, ok := writtenType(t, 0x1000+uint32(n)-1, pointers(n)...)
		if ok != want || ok && got != "int"+strings.Repeat("*", n) {
			t.Errorf("%d pointers: %q, %v", n, got, ok)
		}
	}
	arguments := func(n int) []byte {
		s := asm.At(0).U32(uint32(n))
		for range n {
			s.U32(0x74)
		}
		return rec(t, 0x1201, s)
	}
	for n, want := range map[int]bool{0: true, maxTypeSteps - 1: true, maxTypeSteps: false, 3000: false} {
		if got, ok := writtenType(t, 0x1000, arguments(n)); ok != want || ok && strings.Count(got, "int") != n {
			t.Errorf("%d arguments: %d bytes, %v", n, len(got), ok)
		}
	}
	class := rec(t, 0x1505, asm.At(0).U16(0, 0).U32(0, 0, 0).U16(8).Text(strings.Repeat("x", 6000)+"\x00"))
	for n, want := range map[int]bool{2: true, 3: true, 4: false} {
		s := asm.At(0).U32(uint32(n))
		for range n {
			s.U32(0x1000)
		}
		if got, ok := writtenType(t, 0x1001, class, rec(t, 0x1201, s)); ok != want || len(got) > maxTypeName+6002 {
			t.Errorf("%d names of 6000 bytes: %d bytes, %v", n, len(got), ok)
		}
	}
}

// TestModifiedTypes has const before a name and after a pointer, once.
func TestModifiedTypes(t *testing.T) {
	const ptr, constPtr = 0x1000c, 0x1040c
	for want, records := range map[string][][]byte{
		"const int":       {rec(t, 0x1001, asm.At(0).U32(0x74).U16(1))},
		"int":             {rec(t, 0x1001, asm.At(0).U32(0x74).U16(2))}, // volatile
		"int* const":      {rec(t, 0x1001, asm.At(0).U32(0x1001).U16(1)), rec(t, 0x1002, asm.At(0).U32(0x74, ptr))},
		"int** const":     {rec(t, 0x1001, asm.At(0).U32(0x1001).U16(2)), rec(t, 0x1002, asm.At(0).U32(0x1002, constPtr)), rec(t, 0x1002, asm.At(0).U32(0x74, ptr))},
		"int* const*":     {rec(t, 0x1002, asm.At(0).U32(0x1001, ptr)), rec(t, 0x1002, asm.At(0).U32(0x74, constPtr))},
		"const const int": {rec(t, 0x1001, asm.At(0).U32(0x1001).U16(1)), rec(t, 0x1001, asm.At(0).U32(0x74).U16(1))}, // which no compiler writes
		"int*&&":          {rec(t, 0x1002, asm.At(0).U32(0x1001, 0x1008c)), rec(t, 0x1002, asm.At(0).U32(0x74, ptr))},
	} {
		if got, ok := writtenType(t, 0x1000, records...); got != want || !ok {
			t.Errorf("%q, %v, want %q", got, ok, want)
		}
	}
}

// TestHiddenLines has the two numbers that are no lines (never step onto, never step into) at
// the start of a function, in the middle, and alone.
func TestHiddenLines(t *testing.T) {
	for _, hidden := range []uint32{0xfeefee, 0xf00f00} {
		for _, tt := range []struct {
			name  string
			pairs []uint32
			want  map[uint64]uint32
		}{
			{"at the start", []uint32{0, hidden, 8, 5}, map[uint64]uint32{0x1000: 0, 0x1007: 0, 0x1008: 5}},
			{"in the middle", []uint32{0, 5, 8, hidden, 16, 6}, map[uint64]uint32{0x1007: 5, 0x1008: 5, 0x100f: 5, 0x1010: 6}},
			{"at the end", []uint32{0, 5, 8, hidden}, map[uint64]uint32{0x1007: 5, 0x1008: 5, 0x103f: 5}},
			{"alone", []uint32{0, hidden}, map[uint64]uint32{0x1000: 0, 0x103f: 0}},
			{"twice", []uint32{0, hidden, 8, hidden, 16, 5}, map[uint64]uint32{0x1000: 0, 0x100f: 0, 0x1010: 5}},
			{"and another line at once", []uint32{8, 5, 8, hidden, 0, 4}, map[uint64]uint32{0x1000: 4, 0x1008: 5}},
		} {
			p := example(t)
			p.modules[0].c13 = asm.At(0).Bytes(checksums(t, 1)).Bytes(linesOf(t, 1, 0, 0x40, 0, tt.pairs...))
			f := openBytes(t, p.build(t))
			for rel, want := range tt.want {
				if loc, ok := f.Locate(rel); !ok || loc.Line != want {
					t.Errorf("%#x %s: at %#x line %d, want %d", hidden, tt.name, rel, loc.Line, want)
				}
			}
		}
	}
}

// TestOldRecords has functions and symbols of Visual C++ 7.0, whose names have their length in
// front, and functions of every other kind.
func TestOldRecords(t *testing.T) {
	p := example(t)
	sym := symbolRecords()
	for i, kind := range []uint16{symProcST, symLocalProcST, symProc, symLocalProc, symProcDPC} {
		s := asm.At(0).U32(0, 0, 0, 0x10, 0, 0, 0, uint32(16*i)).U16(1).U8(0)
		if i < 2 {
			s.U8(2).Text("p" + decimal(uint64(i)))
		} else {
			s.Text("p" + decimal(uint64(i)) + "\x00")
		}
		sym.Bytes(rec(t, kind, s))
		addEnd(t, sym, symEnd)
	}
	for i, kind := range []uint16{symProcID, symLocalProcID, symProcDPCID} {
		sym.Bytes(rec(t, kind, asm.At(0).U32(0, 0, 0, 0x10, 0, 0, 0x1002, 0x100+uint32(16*i)).U16(1).U8(0).Text("id"+decimal(uint64(i))+"\x00")))
		addEnd(t, sym, symProcIDEnd)
	}
	p.modules = []object{{"a.obj", sym, asm.At(0), [][3]uint32{{1, 0, 0x200}}}}
	p.publics = nil
	p.extra = map[int][]byte{hasRecords: rec(t, symPublicST, asm.At(0).U32(2, 0x300).U16(1).U8(3).Text("old"))}
	f := openBytes(t, p.build(t))
	got := strings.Join(located(f, 0x1000, 0x1010, 0x1020, 0x1030, 0x1040, 0x1100, 0x1110, 0x1120, 0x1300), "|")
	if want := "p0|p1|p2|p3|p4|id0(int, char**)|id1(int, char**)|id2(int, char**)|old"; got != want {
		t.Errorf("%s, want %s, notes %q", got, want, f.Notes())
	}
}

// TestSymbolsBetween lists public symbols: each ends at the next symbol, function or piece, and
// data is none.
func TestSymbolsBetween(t *testing.T) {
	p := example(t)
	p.publics = []symbolAt{{"main", 1, 0}, {"a", 1, 0x44}, {"b", 1, 0x48}, {"b2", 1, 0x48}, {"copy", 1, 0x50}, {"table", 2, 0x10}, {"last", 1, 0x3ff}, {"nowhere", 7, 0}, {"__real@3f800000", 1, 0x4c}}
	f := openBytes(t, p.build(t))
	var got []string
	for _, pub := range listing(t, f).publics {
		name := pub.Name
		if pub.Multiple {
			name += " m"
		}
		got = append(got, name)
	}
	if want := "a|b m|last"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %s", got, want)
	}
	list := f.publics()
	for rva, want := range map[uint32]uint32{0x1044: 0x1048, 0x1048: 0x104c, 0x13ff: 0x1400} {
		i := 0
		for i < len(list) && list[i].rva <= rva {
			i++
		}
		if got := f.nextPublic(list[i:], rva); got != want {
			t.Errorf("the code of the symbol at %#x ends at %#x, want %#x", rva, got, want)
		}
	}
	if got := f.nextPublic(nil, 0xffff_fff0); got != 0xffff_ffff {
		t.Errorf("a symbol without a section ends at %#x", got)
	}
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
