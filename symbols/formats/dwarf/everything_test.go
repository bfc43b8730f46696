package dwarf

import (
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/symbolsource"
)

// everything is two units. The first unit has a function in two parts, with a call that is inlined in
// another one, and a function that the linker dropped. The second unit has a function whose name is in
// the first.
func everything(t testing.TB) map[string][]byte {
	table := abbrevs(
		decl(1, tagCompileUnit, 1, attr{atName, formString}, attr{atCompDir, formString}, attr{atStmtList, formSecOffset}, attr{atLowPC, formAddr}, attr{atRanges, formSecOffset}),
		decl(2, tagSubprogram, 1, attr{atLinkageName, formStrp}, attr{atName, formString}, attr{atRanges, formSecOffset}),
		decl(3, tagInlined, 1, attr{atAbstractOrigin, formRef4}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}, attr{atCallFile, formData1}, attr{atCallLine, formData1}),
		decl(4, tagSubprogram, 0, attr{atName, formString}, attr{0x20, formData1}), // an origin: DW_AT_inline
		decl(5, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		decl(6, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		decl(7, tagSubprogram, 0, attr{atAbstractOrigin, formRefAddr}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		decl(8, 0x0b, 1), // a block
	)
	info := unit5(func(s *asm.Section) {
		s.U8(1).Bytes(text("main.c")).Bytes(text("/src")).U32(0).U64(0).U32(0)
		s.U8(2).U32(1).Bytes(text("f")).U32(0) // in the ranges of the unit
		s.U8(8)
		s.U8(3).Ref32("outer").U64(0x1010).Bytes(asm.ULEB(0x20)).U8(1, 12)
		s.U8(3).Ref32("inner").U64(0x1018).Bytes(asm.ULEB(0x8)).U8(2, 33)
		s.U8(0, 0, 0, 0)
		s.Mark("outer").U8(4).Bytes(text("outer")).U8(1)
		s.Mark("inner").U8(4).Bytes(text("inner")).U8(1)
		s.U8(5).Bytes(text("gone")).U64(0).Bytes(asm.ULEB(0x40))
		s.U8(0)
	})
	inner := info.Addr("inner")
	second := unit4(func(s *asm.Section) {
		s.U8(6).U64(0x3000).Bytes(asm.ULEB(0x100))
		s.U8(7).U32(uint32(inner)).U64(0x3000).Bytes(asm.ULEB(0x80))
		s.U8(0)
	})
	return map[string][]byte{
		"abbrev": table, "str": []byte("\x00_Z1fv\x00"),
		"info": append(info.Build(t), second.Build(t)...),
		"rnglists": asm.At(0).U8(rangeStartLength).U64(0x1000).Bytes(asm.ULEB(0x40)).
			U8(rangeStartLength).U64(0x2000).Bytes(asm.ULEB(0x10)).U8(rangeEnd).Build(t),
		"line": everythingLines(t),
	}
}

// everythingLines has a sequence for each part of the function.
func everythingLines(t testing.TB) []byte {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(4).Dist32("head", "program").Mark("head")
	s.U8(1, 1, 1, 0xfb, 14, 13).U8(0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)
	s.Bytes(text("include")).U8(0)
	s.Bytes(text("main.c")).U8(0, 0, 0).Bytes(text("a.h")).U8(1, 0, 0).U8(0)
	s.Mark("program")
	at := func(addr uint64, file, line uint8) {
		s.U8(0, 9, lineSetAddress).U64(addr).U8(lineSetFile, file, lineAdvanceLine).Bytes(asm.SLEB(int64(line) - 1)).U8(lineCopy)
	}
	step := func(by, line int64) {
		s.U8(lineAdvancePC).Bytes(asm.ULEB(uint64(by))).U8(lineAdvanceLine).Bytes(asm.SLEB(line)).U8(lineCopy)
	}
	end := func(by uint64) { s.U8(lineAdvancePC).Bytes(asm.ULEB(by)).U8(0, 1, lineEndSequence) }
	at(0x2000, 1, 90)
	end(0x10)
	at(0x1000, 1, 10)
	step(0x10, 20) // line 30, in outer
	s.U8(lineSetFile, 2)
	step(0x8, 20) // line 50 of a.h, in inner
	s.U8(lineSetFile, 1)
	step(0x8, -19) // line 31
	step(0x10, -31)
	end(0x10)
	return s.Mark("to").Build(t)
}

// suited is a File with the methods of a source that DWARF has nothing for.
type suited struct{ *File }

func (suited) CallFrame(uint64) (unwind.CallFrame, bool) { return unwind.CallFrame{}, false }
func (suited) WinFrame(uint64) (unwind.WinFrame, bool)   { return unwind.WinFrame{}, false }
func (suited) HasNames() bool                            { return true }
func (suited) HasCode() bool                             { return false }

func TestEverything(t *testing.T) {
	f := symbolize.Location{Function: "_Z1fv", Start: 0x1000, Size: 0x40}
	with := func(l symbolize.Location, file string, line uint32, start uint64, inlines ...symbolize.Inline) symbolize.Location {
		l.File, l.Line, l.LineStart, l.Inlines = file, line, start, inlines
		return l
	}
	symbolsource.Test(t, symbolsource.Suite{
		Open: func(t *testing.T) symbolsource.Source { return suited{open(everything(t), Options{})} },
		Known: []symbolsource.Known{
			{Rel: 0xfff, None: true},
			{Rel: 0x1000, Location: with(f, "/src/main.c", 10, 0x1000)},
			{Rel: 0x100f, Location: with(f, "/src/main.c", 10, 0x1000)},
			{Rel: 0x1010, Location: with(f, "/src/main.c", 12, 0x1010, symbolize.Inline{Function: "outer", File: "/src/main.c", Line: 30})},
			{Rel: 0x101f, Location: with(f, "/src/main.c", 12, 0x1018,
				symbolize.Inline{Function: "inner", File: "/src/include/a.h", Line: 50},
				symbolize.Inline{Function: "outer", File: "/src/include/a.h", Line: 33})},
			{Rel: 0x1020, Location: with(f, "/src/main.c", 12, 0x1020, symbolize.Inline{Function: "outer", File: "/src/main.c", Line: 31})},
			{Rel: 0x1030, Location: with(f, "/src/main.c", 0, 0x1030)},
			{Rel: 0x1040, None: true},
			{Rel: 0x2008, Location: with(symbolize.Location{Function: "_Z1fv", Start: 0x2000, Size: 0x10}, "/src/main.c", 90, 0x2000)},
			{Rel: 0x2010, None: true},
			{Rel: 0x3000, Location: symbolize.Location{Function: "inner", Start: 0x3000, Size: 0x80}},
			{Rel: 0x3080, None: true},
			{Rel: 0, None: true},
		},
	})
	src := open(everything(t), Options{})
	src.Locate(0x101f)
	check(t, src)
}

// TestBase moves all answers.
func TestBase(t *testing.T) {
	f := open(everything(t), Options{Base: 0x800})
	if loc, ok := f.Locate(0x810); !ok || loc.Start != 0x800 || loc.LineStart != 0x810 || loc.Line != 12 {
		t.Errorf("%+v, %v", loc, ok)
	}
	if fn, ok := f.Function(0x1800); !ok || fn.Start != 0x1800 {
		t.Errorf("%+v, %v", fn, ok)
	}
	if loc, ok := f.Locate(^uint64(0) - 0x10); ok {
		t.Errorf("%+v", loc)
	}
}

// TestEachFunction lists what Locate finds.
func TestEachFunction(t *testing.T) {
	f := open(everything(t), Options{})
	listed := map[uint64]symbolize.Function{}
	err := f.EachFunction(func(fn *symbolize.Function) error {
		c := *fn
		c.Lines = append([]symbolize.Line(nil), fn.Lines...)
		c.Inlines = append([]symbolize.InlineCall(nil), fn.Inlines...)
		listed[fn.Start] = c
		return nil
	})
	if err != nil || len(listed) != 3 {
		t.Fatalf("%d functions, %v", len(listed), err)
	}
	for start, size := range map[uint64]uint64{0x1000: 0x40, 0x2000: 0x10, 0x3000: 0x80} {
		fn := listed[start]
		for rel := start; rel < start+size; rel++ {
			loc, _ := f.Locate(rel)
			if got := located(fn, rel); got.Function != loc.Function || got.File != loc.File || got.Line != loc.Line || len(got.Inlines) != len(loc.Inlines) {
				t.Fatalf("%#x: listed as %+v, found as %+v", rel, got, loc)
			}
		}
	}
	covered, err := f.Covered()
	if err != nil || len(covered) != 3 {
		t.Errorf("%v, %v", covered, err)
	}
}

// located answers from what was listed.
func located(fn symbolize.Function, rel uint64) symbolize.Location {
	loc := symbolize.Location{Function: fn.Name}
	at := symbolize.Inline{}
	for _, l := range fn.Lines {
		if rel-l.Start < l.Size {
			at.File, at.Line = l.File, l.Line
		}
	}
	for i := len(fn.Inlines) - 1; i >= 0; i-- {
		c := fn.Inlines[i]
		for _, r := range c.Ranges {
			if rel-r.Start < r.Size {
				at.Function = c.Function
				loc.Inlines = append(loc.Inlines, at)
				at = symbolize.Inline{File: c.CallFile, Line: c.CallLine}
			}
		}
	}
	loc.File, loc.Line = at.File, at.Line
	return loc
}

// TestListingEnds ends the listing by an error, of the caller or of Progress.
func TestListingEnds(t *testing.T) {
	n := 0
	err := open(everything(t), Options{}).EachFunction(func(*symbolize.Function) error { n++; return unwantedError })
	if err != unwantedError || n != 1 {
		t.Errorf("%v after %d", err, n)
	}
	stop := Options{Progress: func(done, total int64) error { return unwantedError }}
	if err := open(everything(t), stop).EachFunction(func(*symbolize.Function) error { return nil }); err != unwantedError {
		t.Error(err)
	}
	if _, ok := open(everything(t), stop).Locate(0x1000); ok {
		t.Error("an answer without an index")
	}
}
