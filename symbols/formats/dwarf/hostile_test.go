package dwarf

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

var unwantedError = errors.New("unwanted")

// truth is the right answer at each address of the file that everything makes.
func truth(t testing.TB) map[uint64]symbolize.Location {
	out := map[uint64]symbolize.Location{}
	f := open(everything(t), Options{})
	for _, r := range [][2]uint64{{0xff0, 0x1050}, {0x1ff0, 0x2020}, {0x2ff0, 0x3090}} {
		for rel := r[0]; rel < r[1]; rel++ {
			out[rel], _ = f.Locate(rel)
		}
	}
	return out
}

// TestTruncated truncates each section after each byte. Each function, call and line is then as it was,
// or missing, and a note names the damaged section.
func TestTruncated(t *testing.T) {
	want := truth(t)
	for _, name := range slices.Sorted(maps.Keys(everything(t))) {
		whole := everything(t)[name]
		for n := range whole {
			sections := everything(t)
			sections[name] = whole[:n]
			f := open(sections, Options{})
			lost := false
			for rel, right := range want {
				got, _ := f.Locate(rel)
				if why := wrong(got, right); why != "" {
					t.Fatalf("%s truncated at %#x: %#x: %s: %+v, was %+v", name, n, rel, why, got, right)
				}
				lost = lost || fmt.Sprint(got) != fmt.Sprint(right)
			}
			if err := f.EachFunction(func(*symbolize.Function) error { return nil }); err != nil {
				t.Fatal(err)
			}
			between := name == "info" && n == int(whole[0])+4 // units, where nothing shows that there were more
			if notes := f.Notes(); lost && n > 0 && !between && !strings.Contains(fmt.Sprint(notes), ".debug_") {
				t.Fatalf("%s truncated at %#x: something is lost and the notes are %q", name, n, notes)
			}
		}
	}
}

// wrong says which part of an answer contradicts the right one. A missing part is not wrong.
func wrong(got, right symbolize.Location) string {
	switch {
	case got.Function == "":
		return ""
	case got.Function != right.Function && got.Function != noName:
		return "another function"
	case got.Start != right.Start || got.Size != right.Size:
		return "another place"
	case len(got.Inlines) > len(right.Inlines):
		return "more calls"
	case len(got.Inlines) == len(right.Inlines) && got.Line != right.Line && got.Line != 0:
		return "another line"
	}
	return ""
}

// TestCircles follows references to themselves, to each other, and a long chain.
func TestCircles(t *testing.T) {
	sections := map[string][]byte{"abbrev": abbrevs(
		decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		decl(2, tagSubprogram, 0, attr{atAbstractOrigin, formRef4}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		decl(3, tagSubprogram, 0, attr{atSpecification, formRef4}),
	)}
	sections["info"] = unit5(func(s *asm.Section) {
		s.U8(1).U64(0x1000).Bytes(asm.ULEB(0x100))
		s.Mark("self").U8(2).Ref32("self").U64(0x1000).U8(1)
		s.Mark("a").U8(2).Ref32("b").U64(0x1001).U8(1)
		s.Mark("b").U8(2).Ref32("a").U64(0x1002).U8(1)
		for i := range 40 {
			s.Mark(fmt.Sprint(i)).U8(3).Ref32(fmt.Sprint(i + 1))
		}
		s.Mark("40").U8(2).Ref32("0").U64(0x1003).U8(1)
		s.U8(0)
	}).Build(t)
	f := open(sections, Options{})
	for rel := uint64(0x1000); rel < 0x1004; rel++ {
		if loc, ok := f.Locate(rel); !ok || loc.Function != noName {
			t.Errorf("%#x: %+v, %v", rel, loc, ok)
		}
	}
	check(t, f)
}

// TestReadsOn breaks an entry between two functions.
func TestReadsOn(t *testing.T) {
	sections := map[string][]byte{"abbrev": abbrevs(
		decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}, attr{0x01, formRef4}),
		decl(3, 0x34, 0, attr{atName, formString}),
	)}
	info := unit5(func(s *asm.Section) {
		s.U8(1).U64(0x1000).Bytes(asm.ULEB(0x100))
		s.U8(2).Bytes(text("before")).U64(0x1000).U8(0x10).Ref32("behind")
		s.Mark("good")
		for range 40 {
			s.U8(3).Bytes(text("variable"))
		}
		s.Mark("broken").U8(0x7f, 1, 2, 3)
		s.U8(2).Bytes(text("hidden")).U64(0x1020).U8(0x10).U32(0)
		s.Mark("behind")
		s.U8(2).Bytes(text("behind")).U64(0x1040).U8(0x10).U32(0)
		s.U8(2).Bytes(text("elsewhere")).U64(0x8000).U8(0x10).U32(0) // not where the unit has code
		s.U8(0)
	})
	sections["info"] = info.Build(t)
	f := open(sections, Options{})
	for rel, want := range map[uint64]string{0x1000: "before", 0x1020: "", 0x1040: "behind", 0x8000: ""} {
		if loc, _ := f.Locate(rel); loc.Function != want {
			t.Errorf("%#x: %+v", rel, loc)
		}
	}
	if got := starts(t, f); got != "1000+10 1040+10 " {
		t.Error(got)
	}
	want := fmt.Sprintf("[dwarf: .debug_info at %#x: abbreviation 127 is not in the table at 0x0; reading goes on at %#x]", info.Addr("broken"), info.Addr("behind"))
	if notes := fmt.Sprint(f.Notes()); notes != want {
		t.Errorf("%s, want %s", notes, want)
	}
}

// TestDeep nests entries without end.
func TestDeep(t *testing.T) {
	sections := map[string][]byte{
		"abbrev": abbrevs(decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}), decl(2, 0x0b, 1)),
		"info": unit5(func(s *asm.Section) {
			s.U8(1).U64(0x1000).Bytes(asm.ULEB(0x100))
			for range 100_000 {
				s.U8(2)
			}
		}).Build(t),
	}
	f := open(sections, Options{})
	f.Locate(0x1000)
	if notes := fmt.Sprint(f.Notes()); !strings.Contains(notes, "nested more than 16384 deep") {
		t.Error(notes)
	}
}

// FuzzFile replaces sections. Lines that are listed are in order and in their
// function, and what is found covers what was asked for.
func FuzzFile(f *testing.F) {
	all := everything(f)
	f.Add(all["info"], all["abbrev"], all["line"], all["rnglists"], all["str"])
	f.Fuzz(func(t *testing.T, info, abbrev, line, ranges, str []byte) {
		sections := map[string][]byte{"info": info, "abbrev": abbrev, "line": line, "rnglists": ranges, "ranges": ranges, "str": str, "addr": str, "str_offsets": str, "line_str": str}
		file := open(sections, Options{})
		file.Supplement(Sections{"info": source(info), "abbrev": source(abbrev), "str": source(str)})
		err := file.EachFunction(func(fn *symbolize.Function) error {
			end := fn.Start
			for _, l := range fn.Lines {
				if l.Start < end || l.Size == 0 || l.Start+l.Size > fn.Start+fn.Size {
					t.Fatalf("line %+v of %+v", l, fn)
				}
				end = l.Start + l.Size
			}
			// A unit need not say truly where its code is, so there may be none.
			if loc, ok := file.Locate(fn.Start); ok && (loc.Start > fn.Start || fn.Start-loc.Start >= loc.Size) {
				t.Fatalf("listed %+v, found %+v", fn, loc)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, rel := range []uint64{0, 1, 0x1000, 0x1018, 0x2000, 0x3000, ^uint64(0)} {
			file.Locate(rel)
			file.Function(rel)
		}
	})
}

// TestNamesInWhatIsMissing has a call whose origin is in a part of its unit
// that cannot be read.
func TestNamesInWhatIsMissing(t *testing.T) {
	info := unit5(func(s *asm.Section) {
		s.U8(1)
		s.U8(2).U64(0x1000).U32(0x10).U32(0x900)
		s.Zeros(0x1000)
	}).Build(t)
	f := Open(Sections{
		"abbrev": source(abbrevs(
			decl(1, tagCompileUnit, 1),
			decl(2, tagSubprogram, 0, attr{atLowPC, formAddr}, attr{atHighPC, formData4}, attr{atAbstractOrigin, formRef4}),
		)),
		"info": bin.NewSource(bytes.NewReader(info[:0x800]), int64(len(info))),
	}, Options{})
	err := f.EachFunction(func(fn *symbolize.Function) error {
		if fn.Name != noName {
			t.Errorf("named %q", fn.Name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
