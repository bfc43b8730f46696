package dwarf

import (
	"bytes"
	"fmt"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
)

// An attr is an attribute and its form. The third is for DW_FORM_implicit_const.
type attr []uint64

// decl is a declaration of an abbreviation.
func decl(code, tag uint64, children byte, attrs ...attr) (out []byte) {
	out = append(append(asm.ULEB(code), asm.ULEB(tag)...), children)
	for _, a := range attrs {
		for _, v := range a {
			out = append(out, asm.ULEB(v)...)
		}
	}
	return append(out, 0, 0)
}

// abbrevs is a table of declarations.
func abbrevs(decls ...[]byte) []byte { return append(bytes.Join(decls, nil), 0) }

// unit5 is a unit of version 5 with addresses of 8 bytes.
func unit5(body func(s *asm.Section)) *asm.Section {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(5).U8(1, 8).U32(0)
	body(s)
	return s.Mark("to")
}

// unit4 is a unit of version 4.
func unit4(body func(s *asm.Section)) *asm.Section {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(4).U32(0).U8(8)
	body(s)
	return s.Mark("to")
}

// text is a string with its end.
func text(s string) []byte { return append([]byte(s), 0) }

// source makes a section of bytes.
func source(data []byte) bin.Source { return bin.NewSource(bytes.NewReader(data), int64(len(data))) }

// open opens sections given as bytes.
func open(sections map[string][]byte, opt Options) *File {
	out := Sections{}
	for name, data := range sections {
		out[name] = source(data)
	}
	return Open(out, opt)
}

// check fails with what a file noted.
func check(t *testing.T, f *File) {
	t.Helper()
	for _, note := range f.Notes() {
		t.Error(note)
	}
}

// hex is an offset as notes have it.
func hex(off uint64) string { return fmt.Sprintf("%#x", off) }
