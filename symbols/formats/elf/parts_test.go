package elf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// TestSplit tells parts of a program's debug information from programs.
func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name     string
		kind     uint16
		sections string
		split    bool
		refused  bool
	}{
		{name: "program", kind: 3, sections: ".text .debug_info"},
		{name: "program with the units that split off it", kind: 3, sections: ".text .debug_info .debug_info.dwo"},
		{name: ".dwp", kind: 3, sections: ".debug_info.dwo", split: true},
		{name: ".dwo", kind: 1, sections: ".debug_info.dwo", split: true},
		{name: "object file with split units within", kind: 1, sections: ".text .debug_info .debug_info.dwo", split: true},
		{name: "what dwz found", kind: 1, sections: ".debug_info"},
		{name: "object file", kind: 1, sections: ".text .debug_info", refused: true},
		{name: "object file without debug information", kind: 1, sections: ".text", refused: true},
		{name: "core", kind: 4, sections: ".debug_info.dwo", refused: true},
	} {
		r := recipe{machine: 62, kind: tt.kind}
		for name := range strings.FieldsSeq(tt.sections) {
			r.sections = append(r.sections, made{name: name, kind: 1, data: make([]byte, 8)})
		}
		data := r.build(t)
		f, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{})
		if (err != nil) != tt.refused || err == nil && f.IsSplit() != tt.split {
			t.Errorf("%s: refused %v, want %v; split %v, want %v", tt.name, err, tt.refused, err == nil && f.IsSplit(), tt.split)
		}
	}
}

// TestData finds the data that an address lies in, and reads the words of vtables.
//
//	3000 _ZTV4Base   0x18: 0, the address of its type information, one function
//	3018 _ZTI4Base   no vtable
//	3040 _ZTV7Derived
func TestData(t *testing.T) {
	for _, big := range []bool{false, true} {
		r := recipe{machine: 62, big: big}
		words := asm.At(0)
		if big {
			words.BigEndian()
		}
		table, names := r.symbols(t,
			madeSymbol{"_ZTV4Base", symbolObject, 1, 0x3000, 0x18}, madeSymbol{"_ZTI4Base", symbolObject, 1, 0x3018, 0x10},
			madeSymbol{"_ZTV7Derived", symbolObject, 1, 0x3040, 0x20}, madeSymbol{"_ZTVfunction", symbolFunction, 1, 0x3030, 8},
			madeSymbol{"_ZTVelsewhere", symbolObject, 0, 0x3038, 8}, madeSymbol{"_ZTVabsolute", symbolObject, 0xfff1, 0x3028, 8})
		r.sections = []made{
			{".data.rel.ro", sectionBytes, 3, 0x3000, 0, words.U64(0, 0x3018, 0x1000, ^uint64(0x0f)).Zeros(0x40).Build(t)},
			{".symtab", secSymbols, 0, 0, 3, table}, {".strtab", 3, 0, 0, 0, names},
		}
		r.segments = func(s *asm.Section, off map[string]uint64) int {
			load(s, 6, off[".data.rel.ro"], 0x1000, 0x3000)
			return 1
		}
		if big {
			r.segments = func(s *asm.Section, off map[string]uint64) int {
				s.U32(segLoad, 6).U64(off[".data.rel.ro"], 0x1000, 0x1000, 0x60, 0x3000, 8)
				return 1
			}
		}
		f := r.open(t)
		for rel, want := range map[uint64]string{
			0x1fff: " 0", 0x2000: "_ZTV4Base 2000", 0x2017: "_ZTV4Base 2000", 0x2018: "_ZTI4Base 2018", 0x2028: " 0", 0x2030: " 0", 0x2038: " 0",
			0x2040: "_ZTV7Derived 2040", 0x205f: "_ZTV7Derived 2040", 0x2060: " 0",
		} {
			name, start := f.DataAt(rel)
			if got := fmt.Sprintf("%s %x", name, start); got != want {
				t.Errorf("big endian %v: the data at %#x is %q, want %q", big, rel, got, want)
			}
		}
		var tables []string
		f.EachData("_ZTV", func(name string, rel uint64) { tables = append(tables, fmt.Sprintf("%s %x", name, rel)) })
		if want := []string{"_ZTV4Base 2000", "_ZTV7Derived 2040"}; !slices.Equal(tables, want) {
			t.Errorf("big endian %v: the vtables are %q, want %q", big, tables, want)
		}
		for rel, want := range map[uint64]string{
			0x2000: "0", 0x2008: "3018", 0x2010: "1000", 0x2018: "fffffffffffffff0", 0x2058: "0", 0x2059: "none", 0x1fff: "none", 0x2060: "none", 0: "none",
		} {
			got := "none"
			if v, ok := f.VtableWord(rel); ok {
				got = fmt.Sprintf("%x", v)
			}
			if got != want {
				t.Errorf("big endian %v: the word at %#x is %s, want %s", big, rel, got, want)
			}
		}
	}
}

// TestMissing names the files that a program lacks.
func TestMissing(t *testing.T) {
	r := program(t)
	r.sections = append(r.sections, made{".gnu_debugaltlink", 1, 0, 0, 0, []byte("../../.dwz/common.dwz\x00\xab\xcd")})
	f := r.open(t)
	want := []string{"lacks what dwz moved to common.dwz with the build ID abcd: add that file for the names of shared functions"}
	if got := f.Missing(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := program(t).open(t).Missing(); len(got) > 0 {
		t.Errorf("%q of a file that lacks nothing", got)
	}
	for _, tt := range []struct {
		names []string
		all   int
		want  string
	}{{[]string{"a.dwo"}, 1, "a.dwo"}, {[]string{"a.dwo", "b.dwo"}, 2, "a.dwo, b.dwo"}, {[]string{"a.dwo", "b.dwo"}, 7, "a.dwo, b.dwo and 5 more"}} {
		if got := listed(tt.names, tt.all); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if one, two := countOf(1, "unit"), countOf(2, "unit"); one != "one unit" || two != "2 units" {
		t.Errorf("%q, %q", one, two)
	}
}

// TestAttachSupplement takes what dwz found in several files by its build ID, which
// the program asks for, also through its own debug information.
func TestAttachSupplement(t *testing.T) {
	common := recipe{machine: 62, kind: typeRelocatable, sections: []made{
		{name: ".debug_info", kind: 1, data: make([]byte, 8)}, {name: ".note.gnu.build-id", kind: secNote, data: note(t, "\xab\xcd")},
	}}
	link := made{".gnu_debugaltlink", 1, 0, 0, 0, []byte("common.dwz\x00\xab\xcd")}
	direct := program(t)
	direct.sections = append(direct.sections, link)
	f := direct.open(t)
	if err := f.Attach(common.open(t)); err != nil || len(f.Missing()) != 0 {
		t.Errorf("%v, %q", err, f.Missing())
	}
	f = program(t).open(t)
	if err := f.Attach(common.open(t)); err == nil {
		t.Error("it was not asked for")
	}
	debug := program(t)
	debug.sections = append(debug.sections, link)
	if err := f.Attach(debug.open(t)); err != nil {
		t.Fatal(err)
	}
	if err := f.Attach(common.open(t)); err != nil || !slices.ContainsFunc(f.attached, func(o *File) bool { return o.supplement }) {
		t.Errorf("through the debug information: %v", err)
	}
}
