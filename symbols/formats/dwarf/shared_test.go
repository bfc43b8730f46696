package dwarf

import (
	"bytes"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// TestSharedRecords has files in which everything refers to one large record.
// What is read of their sections is counted: it is a few times their size, or
// the file is not read to its end, and says so.
func TestSharedRecords(t *testing.T) {
	const units = 2000
	low, high := attr{atLowPC, formAddr}, attr{atHighPC, formData4}
	function := func(s *asm.Section, n int) { s.U8(2).U64(0x1000 + uint64(n)).U32(1) }
	unit := func(abbrevs int, body func(s *asm.Section)) []byte {
		s := asm.At(0).Dist32("from", "to").Mark("from").U16(4).U32(uint32(abbrevs)).U8(8)
		body(s)
		return s.U8(0).Mark("to").Build(t)
	}
	many := func(body func(n int) []byte) (out []byte) {
		for n := range units {
			out = append(out, body(n)...)
		}
		return out
	}
	program := header{4, 1, 1}.program(t, func(s *asm.Section) {
		s.U8(0, 9, lineSetAddress).U64(0x1000)
		for range 50000 {
			s.U8(lineCopy)
		}
		s.U8(lineAdvancePC).U8(1).U8(0, 1, lineEndSequence)
	})
	longTable := func(codes ...uint64) []byte {
		var decls [][]byte
		for n := range uint64(8000) {
			decls = append(decls, decl(n+10, tagSubprogram, 0))
		}
		for _, code := range codes {
			decls = append(decls, decl(code, tagSubprogram, 0, low, high))
		}
		return abbrevs(decls...)
	}
	ranges := asm.At(0)
	for n := range uint64(5000) {
		ranges.U64(0x1000+16*n, 0x1008+16*n)
	}
	for _, tt := range []struct {
		name     string
		sections map[string][]byte
		ends     bool // it is not read to its end
	}{
		{name: "line program", sections: map[string][]byte{
			"abbrev": abbrevs(decl(1, tagCompileUnit, 1, attr{atStmtList, formSecOffset}, low, high), decl(2, tagSubprogram, 0, low, high)),
			"info": many(func(n int) []byte {
				return unit(0, func(s *asm.Section) { s.U8(1).U32(0).U64(0x1000).U32(0x10000); function(s, n) })
			}),
			"line": program,
		}, ends: false},
		{name: "missing abbreviation", sections: map[string][]byte{
			"abbrev": longTable(), "info": many(func(int) []byte { return unit(0, func(s *asm.Section) { s.U8(1) }) }),
		}, ends: false},
		{name: "damaged table", sections: map[string][]byte{
			"abbrev": append(abbrevs(decl(1, tagCompileUnit, 1, low, high))[:9], longTable()[:40000]...),
			"info":   many(func(int) []byte { return unit(0, func(s *asm.Section) { s.U8(1).U64(0x1000).U32(9).U8(2) }) }),
		}, ends: false},
		{name: "overlapping tables", sections: map[string][]byte{
			"abbrev": longTable(1), "info": many(func(n int) []byte { return unit(n*5, func(s *asm.Section) { s.U8(1).U64(0x1000).U32(4) }) }),
		}, ends: true},
		{name: "ranges of functions", sections: map[string][]byte{
			"abbrev": abbrevs(decl(1, tagCompileUnit, 1, low, high), decl(2, tagSubprogram, 0, attr{atRanges, formSecOffset})),
			"info": many(func(n int) []byte {
				return unit(0, func(s *asm.Section) { s.U8(1).U64(0x1000).U32(0x100000).U8(2).U32(0).U8(2).U32(16) })
			}),
			"ranges": ranges.U64(0, 0).Build(t),
		}, ends: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(tt.sections, Options{})
			size := int64(0)
			for _, data := range tt.sections {
				size += int64(len(data))
			}
			allowed := left(f)
			if err := f.EachFunction(func(*symbolize.Function) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if used := allowed - left(f); !tt.ends && used > 8*size {
				t.Errorf("%d bytes were read of %d", used, size)
			}
			if said := strings.Contains(strings.Join(f.Notes(), "\n"), errWork.Error()); said != tt.ends || f.limits.work.Exceeded() != tt.ends {
				t.Errorf("ended %v, said %v, want %v: %q", f.limits.work.Exceeded(), said, tt.ends, f.Notes())
			}
		})
	}
}

// TestSharedName has functions that share one long name.
func TestSharedName(t *testing.T) {
	const functions = 1000
	info := unit4(func(s *asm.Section) {
		s.U8(1)
		for n := range uint64(functions) {
			s.U8(2).U64(0x1000 + n).U32(1).U32(0)
		}
		s.U8(0)
	}).Build(t)
	f := open(map[string][]byte{
		"abbrev": abbrevs(decl(1, tagCompileUnit, 1), decl(2, tagSubprogram, 0, attr{atLowPC, formAddr}, attr{atHighPC, formData4}, attr{atName, formStrp})),
		"info":   info, "str": append(bytes.Repeat([]byte("x"), 100<<10), 0),
	}, Options{})
	listed, size := 0, 0
	if err := f.EachFunction(func(fn *symbolize.Function) error { listed++; size += len(fn.Name); return nil }); err != nil {
		t.Fatal(err)
	}
	if listed != functions || size > leastNames+2<<20 {
		t.Errorf("%d functions with %d bytes of names", listed, size)
	}
	if notes := strings.Join(f.Notes(), "\n"); !strings.Contains(notes, "names longer than 1024 bytes are shared by many entries") {
		t.Error(notes)
	}
}
