package dwarf

import (
	"fmt"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// TestSupplement finds the name of an inlined call in another file.
func TestSupplement(t *testing.T) {
	extra := unit5(func(s *asm.Section) { s.U8(1).Mark("there").U8(2).U32(1).U8(0) })
	sections := Sections{
		"info": source(extra.Build(t)), "str": source([]byte("\x00shared\x00")),
		"abbrev": source(abbrevs(decl(1, tagPartialUnit, 1), decl(2, tagSubprogram, 0, attr{atName, formStrp}))),
	}
	for form, size := range map[uint64]int{formGNURefAlt: 4, formRefSup4: 4, formRefSup8: 8} {
		main := map[string][]byte{
			"abbrev": abbrevs(
				decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
				decl(2, tagSubprogram, 0, attr{atAbstractOrigin, form}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
			),
			"info": unit5(func(s *asm.Section) {
				s.U8(1).U64(0x1000).Bytes(asm.ULEB(0x100)).U8(2).Word(size, extra.Addr("there")).U64(0x1000).U8(0x10).U8(0)
			}).Build(t),
		}
		f := open(main, Options{})
		if loc, ok := f.Locate(0x1000); !ok || loc.Function != noName {
			t.Errorf("form %#x without the file: %+v, %v", form, loc, ok)
		}
		f = open(main, Options{})
		f.Supplement(sections)
		if loc, ok := f.Locate(0x1000); !ok || loc.Function != "shared" {
			t.Errorf("form %#x: %+v, %v", form, loc, ok)
		}
		check(t, f)
	}
}

// skeleton is a unit whose entries are in a .dwo file.
func skeleton(t *testing.T) map[string][]byte {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(5).U8(unitSkeleton, 8).U32(0).U64(0x1234)
	s.U8(1).Bytes(text("a.dwo")).U32(8).U64(0x1000).Bytes(asm.ULEB(0x100)).Mark("to")
	return map[string][]byte{
		"info": s.Build(t), "addr": asm.At(0).Zeros(8).U64(0, 0x1020).Build(t),
		"abbrev": abbrevs(decl(1, tagSkeletonUnit, 0, attr{atDwoName, formString}, attr{atAddrBase, formSecOffset}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata})),
	}
}

// splitUnit is what the skeleton stands for. Its table of strings and its
// abbreviations lie behind some of another unit, as in a package.
func splitUnit(t *testing.T, abbrev int) Sections {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(5).U8(unitSplitCompile, 8).U32(0).U64(0x1234)
	s.U8(1).U8(2, 1, 1, 0x10).U8(0).Mark("to")
	table := abbrevs(decl(1, tagCompileUnit, 1), decl(2, tagSubprogram, 0, attr{atName, formStrx1}, attr{atLowPC, formAddrx}, attr{atHighPC, formData1}))
	return Sections{
		"info": source(s.Build(t)), "abbrev": source(append(make([]byte, abbrev), table...)),
		"str": source([]byte("wrong\x00right\x00")), "str_offsets": source(asm.At(0).Zeros(abbrev).U32(0, 0, 0, 6).Build(t)),
	}
}

// missing names the .dwo files that were not given.
func missing(f *File) (names []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x, err := f.readIndex()
	if err != nil {
		return nil
	}
	for _, u := range x.units {
		if u.skeleton == nil && u.dwo.kind != refNone {
			names = append(names, u.readText(u.dwo))
		}
	}
	return names
}

func TestSplit(t *testing.T) {
	f := open(skeleton(t), Options{})
	if loc, ok := f.Locate(0x1020); ok || fmt.Sprint(missing(f)) != "[a.dwo]" {
		t.Errorf("%+v, %v, missing %q", loc, ok, missing(f))
	}
	want := symbolize.Location{Function: "right", Start: 0x1020, Size: 0x10}
	f = open(skeleton(t), Options{})
	f.AddSplit(splitUnit(t, 0))
	if loc, ok := f.Locate(0x102f); !ok || fmt.Sprint(loc) != fmt.Sprint(want) || len(missing(f)) > 0 {
		t.Errorf("%+v, %v, missing %q", loc, ok, missing(f))
	}
	check(t, f)
}

func TestPackage(t *testing.T) {
	head := func(version uint32) *asm.Section { return asm.At(0).U32(version, 3, 1, 2).Zeros(2 * 12) }
	pack := func(index []byte) *File {
		f := open(skeleton(t), Options{})
		sections := splitUnit(t, 16)
		sections["cu_index"] = source(index)
		f.AddSplit(sections)
		return f
	}
	for _, version := range []uint32{2, 5} {
		f := pack(head(version).U32(packageInfo, packageAbbrev, packageStrOffsets).U32(0, 16, 16).U32(40, 30, 20).Build(t))
		if loc, ok := f.Locate(0x1020); !ok || loc.Function != "right" {
			t.Errorf("version %d: %+v, %v", version, loc, ok)
		}
		check(t, f)
	}
	for want, index := range map[string][]byte{
		"[dwarf: .debug_cu_index: version 3 with 3 sections, 1 units in 2 slots]":          head(3).Build(t),
		"[dwarf: .debug_cu_index: 1 units of 3 sections do not fit 48 bytes]":              head(5).Zeros(8).Build(t),
		"[dwarf: .debug_cu_index: version 5 with 4294967295 sections, 1 units in 1 slots]": asm.At(0).U32(5, 1<<32-1, 1, 1).Build(t),
	} {
		f := pack(index)
		missing(f) // reads all units
		if got := fmt.Sprint(f.Notes()[:1]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestUnplaced finds functions of a unit that does not say where its code is.
func TestUnplaced(t *testing.T) {
	f := open(map[string][]byte{
		"abbrev": abbrevs(decl(1, tagCompileUnit, 1), decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata})),
		"info":   unit5(func(s *asm.Section) { s.U8(1).U8(2).Bytes(text("f")).U64(0x1000).U8(0x10).U8(0) }).Build(t),
	}, Options{})
	if loc, ok := f.Locate(0x1008); !ok || loc.Function != "f" {
		t.Errorf("%+v, %v", loc, ok)
	}
}

// TestLinkage prefers what the linker says where DWARF has a plain name.
func TestLinkage(t *testing.T) {
	table := abbrevs(decl(1, tagCompileUnit, 1, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}))
	for _, tt := range []struct{ dwarf, linker, want, clone string }{
		{"f", "", "f", ""},
		{"f", "_ZL1fv.constprop.0", "_ZL1fv", "_ZL1fv.constprop.0"},
		{"main", "main.cold", "main", "main.cold"},
		{"_Z1gv", "_Z1hv", "_Z1gv", ""},
		{"_Z1gv", "_Z1gv.part.0.cold", "_Z1gv", "_Z1gv.part.0.cold"},
		{"", "f.cold", "f", "f.cold"},
		{"nested", "nested.0", "nested.0", ""},
		{"pkg.f", "pkg.f.abi0", "pkg.f", ""},
		{"f", "first_of_section", "f", ""},
	} {
		info := unit5(func(s *asm.Section) {
			s.U8(1).U64(0x1000).Bytes(asm.ULEB(0x100)).U8(2).Bytes(text(tt.dwarf)).U64(0x1010).U8(0x10).U8(0)
		})
		f := open(map[string][]byte{"abbrev": table, "info": info.Build(t)}, Options{Base: 0x1000, Linkage: func(rel uint64, name string) string {
			if rel != 0x10 || name != tt.dwarf && name != tt.want {
				t.Errorf("asked for %#x, %q", rel, name)
			}
			return tt.linker
		}})
		if loc, ok := f.Locate(0x18); !ok || loc.Function != tt.want || loc.Linkage != tt.clone {
			t.Errorf("%+v: %+v, %v", tt, loc, ok)
		}
	}
}
