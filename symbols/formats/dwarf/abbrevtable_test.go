package dwarf

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestTablesInTurn has units that share a table, with first entries of
// different kinds, and one between them that has another.
func TestTablesInTurn(t *testing.T) {
	name, low, high := attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}
	function := decl(3, tagSubprogram, 0, name, low, high)
	shared := abbrevs(function, decl(1, tagCompileUnit, 1, low, high), decl(2, tagCompileUnit, 1, name, low, high))
	other := abbrevs(decl(2, tagCompileUnit, 1, high, low), function)
	var info []byte
	unit := func(table int, first func(s *asm.Section), start uint64) {
		s := asm.At(0).Dist32("from", "to").Mark("from").U16(4).U32(uint32(table)).U8(8)
		first(s)
		s.U8(3).Bytes(text(fmt.Sprintf("at%x", start))).U64(start).U8(0x10).U8(0).Mark("to")
		info = append(info, s.Build(t)...)
	}
	plain := func(start uint64) func(s *asm.Section) { return func(s *asm.Section) { s.U8(1).U64(start).U8(0x10) } }
	named := func(start uint64) func(s *asm.Section) {
		return func(s *asm.Section) { s.U8(2).Bytes(text("a.rs")).U64(start).U8(0x10) }
	}
	unit(0, named(0x1000), 0x1000)
	unit(0, plain(0x2000), 0x2000)
	unit(len(shared), func(s *asm.Section) { s.U8(2).U8(0x10).U64(0x3000) }, 0x3000)
	unit(0, named(0x4000), 0x4000)
	f := open(map[string][]byte{"abbrev": append(shared, other...), "info": info}, Options{})
	for start := uint64(0x1000); start <= 0x4000; start += 0x1000 {
		loc, ok := f.Locate(start + 8)
		if want := fmt.Sprintf("at%x", start); !ok || loc.Function != want || loc.Start != start {
			t.Errorf("%#x: %+v, %v", start, loc, ok)
		}
	}
	check(t, f)
}

// BenchmarkIndex finds out where units of one table have their code.
func BenchmarkIndex(b *testing.B) {
	var decls [][]byte
	for code := range uint64(150) {
		decls = append(decls, decl(code+2, tagSubprogram, 1, attr{atName, formStrp}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}))
	}
	decls = append(decls, decl(1, tagCompileUnit, 0, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}))
	var info []byte
	for n := range uint64(1000) {
		info = append(info, unit4(func(s *asm.Section) { s.U8(1).U64(0x1000 + 16*n).U8(0x10) }).Build(b)...)
	}
	for b.Loop() {
		f := open(map[string][]byte{"abbrev": abbrevs(decls...), "info": info}, Options{})
		if x, err := f.readIndex(); err != nil || len(x.places) != 1000 {
			b.Fatal(len(x.places), err)
		}
	}
}
