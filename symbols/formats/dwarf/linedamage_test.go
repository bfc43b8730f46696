package dwarf

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// A line program that breaks keeps the sequences before the defect. The note names the operation.
func TestDamagedLinePrograms(t *testing.T) {
	// The first sequence is whole: line 1 from 0x1000 to 0x1004. The second begins at 0x1010.
	begin := func(s *asm.Section) *asm.Section {
		s.U8(lineCopy, lineAdvancePC, 4, 0, 1, lineEndSequence)
		return s.U8(0, 9, lineSetAddress).U64(0x1010).U8(lineCopy).Mark("broken")
	}
	for _, test := range []struct {
		name string
		body func(s *asm.Section)
		note string // behind the offset
	}{
		{"an advance without a number", func(s *asm.Section) { s.U8(lineAdvancePC) }, "operation 2 is truncated"},
		{"an advance with half a number", func(s *asm.Section) { s.U8(lineAdvancePC, 0x80) }, "operation 2 is truncated"},
		{"a line without a number", func(s *asm.Section) { s.U8(lineAdvanceLine, 0xff) }, "operation 3 is truncated"},
		{"a file without a number", func(s *asm.Section) { s.U8(lineSetFile) }, "operation 4 is truncated"},
		{"a fixed advance of one byte", func(s *asm.Section) { s.U8(lineFixedAdvancePC, 1) }, "operation 9 is truncated"},
		{"an unknown operation without its operand", func(s *asm.Section) { s.U8(12) }, "operation 12 is truncated"},
		{"an extended operation without a length", func(s *asm.Section) { s.U8(0) }, "operation 0 is truncated"},
		{"an extended operation that is longer than the program", func(s *asm.Section) { s.U8(0, 3, 0x80, 1) }, "operation 0 is truncated"},
		{"an address that is longer than its operation", func(s *asm.Section) { s.U8(0, 5, lineSetAddress, 0, 0, 0) }, "operation 0 is truncated"},
		{"a file that is longer than its operation", func(s *asm.Section) { s.U8(0, 3, lineDefineFile, 'a', 'b', 0, 0, 0, 0, 1) }, "operation 0 is truncated"},
	} {
		var at uint64
		f := lineFile(t, header{4, 1, 1}.program(t, func(s *asm.Section) { at = begin(s).Here(); test.body(s) }))
		if got, want := listed(t, f), "1000-1004 /comp/first.c:1"; got != want {
			t.Errorf("%s: %s, want %s", test.name, got, want)
		}
		if got, want := strings.Join(f.Notes(), "\n"), "dwarf: .debug_line at "+hex(at)+": "+test.note; got != want {
			t.Errorf("%s: %s, want %s", test.name, got, want)
		}
	}
}

// Headers of line programs that say what cannot be. Nothing of such a program is used, and functions
// stay.
func TestDamagedLineHeaders(t *testing.T) {
	good := header{4, 1, 1}.program(t, func(s *asm.Section) { s.U8(lineCopy, lineAdvancePC, 4, 0, 1, lineEndSequence) })
	const versionAt, headAt, rangeAt, opcodeBaseAt = 4, 6, 14, 15 // section 6.2.4
	for _, test := range []struct {
		name    string
		program []byte
		note    string
	}{
		{"an empty section", nil, "dwarf: .debug_line at 0x0: 12 bytes reach beyond the end of the file at 0x0"},
		{"a length that is truncated", good[:3], "dwarf: .debug_line at 0x0: program of 0 bytes, the section has 3 more"},
		{"a program that is truncated", good[:40], "dwarf: .debug_line at 0x0: program of 70 bytes, the section has 40 more"},
		{"version 1", replaced(good, versionAt, 1), "dwarf: .debug_line at 0x0: version 1, known are 2 to 5"},
		{"version 6", replaced(good, versionAt, 6), "dwarf: .debug_line at 0x0: version 6, known are 2 to 5"},
		{"a header behind the program", replaced(good, headAt, 0xff), "dwarf: .debug_line at 0x0: the header of 255 bytes is damaged"},
		{"a header shorter than itself", replaced(good, headAt, 1), "dwarf: .debug_line at 0x0: the header of 1 bytes is damaged"},
		{"more operations than the program has bytes", replaced(good, opcodeBaseAt, 0xff), "dwarf: .debug_line at 0x0: the header of 47 bytes is damaged"},
	} {
		f := lineFile(t, test.program)
		if loc, _ := f.Locate(0x1002); loc.Function != "f" || loc.File != "" || loc.Line != 0 {
			t.Errorf("%s: %+v", test.name, loc)
		}
		if got := strings.Join(f.Notes(), "\n"); got != test.note {
			t.Errorf("%s: %s, want %s", test.name, got, test.note)
		}
	}
	zero := func(body func(s *asm.Section)) *File {
		return lineFile(t, replaced(header{4, 1, 1}.program(t, body), rangeAt, 0))
	}
	for name, f := range map[string]*File{ // one line is no range: there is nothing to divide by
		"operation 13 is truncated": zero(func(s *asm.Section) { s.U8(lineCopy, 13) }),
		"operation 8 is truncated":  zero(func(s *asm.Section) { s.U8(lineCopy, lineConstAddPC) }),
	} {
		listed(t, f)
		if got := strings.Join(f.Notes(), "\n"); !strings.HasSuffix(got, name) {
			t.Errorf("a range of 0 lines: %s, want %s", got, name)
		}
	}
}

// A program with fewer standard operations than DWARF 2 has takes the others as special ones.
func TestFewStandardOperations(t *testing.T) {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(2).Dist32("head", "program").Mark("head")
	s.U8(1, 1, 0, 4, 4).U8(0, 1, 1) // lines from 0, four of them, operations from 4
	s.U8(0).Bytes(text("a.c")).U8(0, 0, 0, 0).Mark("program")
	s.U8(0, 9, lineSetAddress).U64(0x1000).U8(lineCopy)
	s.U8(4 + 4*2 + 3) // two bytes and three lines on
	s.U8(lineAdvancePC, 6, 0, 1, lineEndSequence).Mark("to")
	f := lineFile(t, s.Build(t))
	if got, want := listed(t, f), "1000-1002 /comp/a.c:1, 1002-1008 /comp/a.c:4"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	check(t, f)
}

// Addresses of 2 and 4 bytes are set; an operand of another size says nothing, and the next operation is found.
func TestLineAddressSizes(t *testing.T) {
	end := func(s *asm.Section) { s.U8(lineAdvancePC, 8, 0, 1, lineEndSequence) }
	for _, test := range []struct {
		name string
		body func(s *asm.Section)
		want string
	}{
		{"two bytes", func(s *asm.Section) { s.U8(0, 3, lineSetAddress).U16(0x1020).U8(lineCopy); end(s) }, "1020-1028 /comp/first.c:1"},
		{"four bytes", func(s *asm.Section) { s.U8(0, 5, lineSetAddress).U32(0x1030).U8(lineCopy); end(s) }, "1030-1038 /comp/first.c:1"},
		{"three bytes", func(s *asm.Section) { s.U8(0, 4, lineSetAddress, 1, 2, 3).U8(lineCopy); end(s) }, "1000-1008 /comp/first.c:1"},
		{"no operation", func(s *asm.Section) { s.U8(0, 0).U8(lineCopy); end(s) }, "1000-1008 /comp/first.c:1"},
		{"more than an address", func(s *asm.Section) { s.U8(0, 9, lineSetAddress).U64(0x1040).U8(lineCopy, 0, 3, lineEndSequence, 9, 9) }, ""},
	} {
		f := lineFile(t, header{4, 1, 1}.program(t, test.body))
		if got := listed(t, f); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		check(t, f)
	}
}

// Instructions that do several things at once (VLIW, version 4) advance by the whole instruction. A new
// address, or a fixed advance, begins with the first operation again.
func TestOperationIndex(t *testing.T) {
	f := lineFile(t, header{4, 4, 3}.program(t, func(s *asm.Section) {
		s.U8(lineCopy)
		s.U8(lineAdvancePC, 2)                   // operation 2 of the first instruction
		s.U8(lineFixedAdvancePC, 8, 0)           // operation 0 at 0x1008
		s.U8(lineAdvancePC, 2)                   // operation 2 there
		s.U8(lineAdvanceLine, 1, lineCopy)       // 0x1008
		s.U8(lineAdvancePC, 1)                   // operation 0 at 0x100c
		s.U8(lineAdvanceLine, 1, lineCopy)       // 0x100c
		s.U8(lineAdvancePC, 2, lineAdvancePC, 2) // operation 1 at 0x1010
		s.U8(0, 1, lineEndSequence)
	}))
	if got, want := listed(t, f), "1000-1008 /comp/first.c:1, 1008-100c /comp/first.c:2, 100c-1010 /comp/first.c:3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	check(t, f)
}

// DWARF64 has lengths and offsets of eight bytes (section 7.4).
func TestLineProgramOfDWARF64(t *testing.T) {
	body := func(s *asm.Section) []byte {
		s.U16(4).U64(27).U8(1, 1, 1, 0xfd, 12, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)
		s.U8(0).Bytes(text("a.c")).U8(0, 0, 0, 0)
		return s.U8(0, 9, lineSetAddress).U64(0x1000).U8(lineCopy, lineAdvancePC, 9, 0, 1, lineEndSequence).Build(t)
	}
	small := body(asm.At(0))
	f := lineFile(t, asm.At(0).U32(1<<32-1).U64(uint64(len(small))).Bytes(small).Build(t))
	if got, want := listed(t, f), "1000-1009 /comp/a.c:1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	check(t, f)
}

// Tables of files of version 5 that are odd: the lines stay, and names that cannot be read are missing.
func TestOddFileTables(t *testing.T) {
	program := func(tables ...byte) []byte {
		s := asm.At(0).Dist32("from", "to").Mark("from").U16(5).U8(8, 0).Dist32("head", "program").Mark("head")
		s.U8(1, 1, 1, 0xfd, 12, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1).Bytes(tables).Mark("program")
		s.U8(0, 9, lineSetAddress).U64(0x1000).U8(lineCopy, lineAdvancePC, 4, 0, 1, lineEndSequence)
		return s.Mark("to").Build(t)
	}
	damaged := "dwarf: .debug_line at 0x0: the tables of files are damaged"
	for _, test := range []struct {
		name   string
		tables []byte
		want   string
		note   string
	}{
		{"no entries", []byte{0, 0, 0, 0}, "1000-1004 :1", ""},
		{"entries of no fields", []byte{0, 9, 0, 200, 1}, "1000-1004 :1", ""},
		{"the second of two names counts", []byte{0, 0, 1, contentPath, formString, 2, 'a', 0, 'b', '.', 'c', 0}, "1000-1004 /comp/b.c:1", ""},
		{"fields that are not wanted", []byte{0, 0, 3, 3, formData4, contentPath, formString, 4, formBlock, 2, 1, 2, 3, 4, 'a', 0, 1, 7, 5, 6, 7, 8, '/', 'b', 0, 0}, "1000-1004 /b:1", ""},
		{"a folder that is not there", []byte{0, 0, 2, contentPath, formString, contentDirectory, formData1, 2, 'a', 0, 0, 'b', 0, 9}, "1000-1004 /comp/b:1", ""},
		{"fewer entries than said", []byte{0, 0, 1, contentPath, formString, 100, 'a', 0, 'b', 0}, "1000-1004 /comp/b:1", damaged},
		{"a name without an end", []byte{0, 0, 1, contentPath, formString, 2, 'a', 0, 'b'}, "1000-1004 :1", damaged},
		{"an unknown form", []byte{0, 0, 1, contentPath, 0x7f, 2, 'a', 0, 'b', 0}, "1000-1004 :1", damaged},
		{"a format without an end", []byte{9, contentPath, formString}, "1000-1004 :1", damaged},
	} {
		f := lineFile(t, program(test.tables...))
		if got := listed(t, f); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if got := strings.Join(f.Notes(), "\n"); got != test.note {
			t.Errorf("%s: %s, want %s", test.name, got, test.note)
		}
	}
}
