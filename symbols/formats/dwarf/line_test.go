package dwarf

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/testkit/asm"
)

// lineFile is a unit with one function from 0x1000 to 0x1100 and a line program.
func lineFile(t *testing.T, program []byte) *File {
	return open(map[string][]byte{
		"line": program, "line_str": []byte("/comp\x00first.c\x00sub\x00second.h\x00"),
		"abbrev": abbrevs(
			decl(1, tagCompileUnit, 1, attr{atName, formString}, attr{atCompDir, formString}, attr{atStmtList, formSecOffset}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
			decl(2, tagSubprogram, 0, attr{atName, formString}, attr{atLowPC, formAddr}, attr{atHighPC, formUdata}),
		),
		"info": unit5(func(s *asm.Section) {
			s.U8(1).Bytes(text("unit.c")).Bytes(text("/comp")).U32(0).U64(0x1000).Bytes(asm.ULEB(0x100))
			s.U8(2).Bytes(text("f")).U64(0x1000).Bytes(asm.ULEB(0x100)).U8(0)
		}).Build(t),
	}, Options{})
}

// listed is what a function has of lines: "start file:line".
func listed(t *testing.T, f *File) string {
	var out []string
	err := f.EachFunction(func(fn *symbolize.Function) error {
		for _, l := range fn.Lines {
			out = append(out, fmt.Sprintf("%x-%x %s:%d", l.Start, l.Start+l.Size, l.File, l.Line))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, ", ")
}

// A header is what a program of a test says of itself.
type header struct {
	version  uint16
	min, ops uint8
}

// program4 is a program with the files first.c and sub/second.h.
func (h header) program(t *testing.T, body func(s *asm.Section)) []byte {
	s := asm.At(0).Dist32("from", "to").Mark("from").U16(h.version)
	if h.version == 5 {
		s.U8(8, 0)
	}
	s.Dist32("head", "program").Mark("head").U8(h.min)
	if h.version >= 4 {
		s.U8(h.ops)
	}
	s.U8(1, 0xfd, 12, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1) // lines from -3, 12 of them, opcodes from 13
	if h.version == 5 {
		s.U8(1, contentPath, formLineStrp, 2).U32(0, 14) // folders
		s.U8(4, contentPath, formLineStrp, contentDirectory, formUdata).Bytes([]byte{5, formData16, 4, formData4}).U8(3)
		for _, f := range []struct {
			name uint32
			dir  uint8
		}{{6, 0}, {6, 0}, {18, 1}} {
			s.U32(f.name).U8(f.dir).Zeros(20)
		}
	} else {
		s.Bytes(text("sub")).U8(0).Bytes(text("first.c")).U8(0, 0, 0).Bytes(text("second.h")).U8(1, 0, 0, 0)
	}
	s.Mark("program")
	s.U8(0, 9, lineSetAddress).U64(0x1000)
	body(s)
	return s.Mark("to").Build(t)
}

func TestLinePrograms(t *testing.T) {
	end := func(s *asm.Section, by uint64) { s.U8(lineAdvancePC).Bytes(asm.ULEB(by)).U8(0, 1, lineEndSequence) }
	for _, tt := range []struct {
		name   string
		header header
		body   func(s *asm.Section)
		want   string
	}{
		{"copy", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineCopy); end(s, 16) }, "1000-1010 /comp/first.c:1"},
		{"special", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineCopy, 13+12*2+5); end(s, 4) }, "1000-1002 /comp/first.c:1, 1002-1006 /comp/first.c:3"},
		{"steps of four bytes", header{3, 4, 0}, func(s *asm.Section) { s.U8(lineCopy, 13+12+4); end(s, 1) }, "1000-1004 /comp/first.c:1, 1004-1008 /comp/first.c:2"},
		{"several at once", header{4, 4, 3}, func(s *asm.Section) { s.U8(lineCopy, 13+12*2+4, 13+12*2+4); end(s, 2) },
			"1000-1004 /comp/first.c:2, 1004-1008 /comp/first.c:3"},
		{"constant", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineCopy, lineConstAddPC, lineAdvanceLine, 9, lineCopy); end(s, 1) },
			"1000-1014 /comp/first.c:1, 1014-1015 /comp/first.c:10"},
		{"fixed", header{4, 4, 1}, func(s *asm.Section) {
			s.U8(lineCopy, lineFixedAdvancePC, 0x20, 0, lineAdvanceLine, 1, lineCopy)
			end(s, 1)
		},
			"1000-1020 /comp/first.c:1, 1020-1024 /comp/first.c:2"},
		{"file and flags", header{2, 1, 0}, func(s *asm.Section) {
			s.U8(lineSetColumn).Bytes(asm.ULEB(300)).U8(6, 7, 10, 11, 12, 5, lineSetFile, 2, lineCopy)
			end(s, 2)
		}, "1000-1002 /comp/sub/second.h:1"},
		{"version 5", header{5, 1, 1}, func(s *asm.Section) { s.U8(lineCopy, lineSetFile, 2, 13+12*8+4); end(s, 2) },
			"1000-1008 /comp/first.c:1, 1008-100a /comp/sub/second.h:2"},
		{"file 0", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineSetFile, 0, lineCopy); end(s, 2) }, "1000-1002 /comp/unit.c:1"},
		{"an end that lies", header{4, 1, 1}, func(s *asm.Section) {
			s.U8(lineCopy)
			end(s, 0x80)
			s.U8(0, 9, lineSetAddress).U64(0x1010).U8(lineAdvanceLine, 4, lineCopy)
			end(s, 0x10)
		}, "1000-1010 /comp/first.c:1, 1010-1020 /comp/first.c:5, 1020-1080 /comp/first.c:1"},
		{"no such file", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineSetFile, 9, lineCopy); end(s, 2) }, "1000-1002 :1"},
		{"defined later", header{4, 1, 1}, func(s *asm.Section) {
			s.U8(0, 10, lineDefineFile).Bytes(text("/abs")).U8(0, 0, 0).U8(0).U8(lineSetFile, 3, lineCopy)
			end(s, 2)
		}, "1000-1002 /abs:1"},
		{"discriminator and unknown", header{4, 1, 1}, func(s *asm.Section) { s.U8(0, 2, 4, 7, 0, 3, 0x80, 1, 2, lineCopy); end(s, 2) }, "1000-1002 /comp/first.c:1"},
		{"no line", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineAdvanceLine, 0x7f, lineCopy); end(s, 2) }, "1000-1002 /comp/first.c:0"},
		{"the last of one address", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineCopy, lineAdvanceLine, 5, lineCopy); end(s, 2) }, "1000-1002 /comp/first.c:6"},
		{"backward", header{4, 1, 1}, func(s *asm.Section) {
			s.U8(13+12*4+3, 0, 9, lineSetAddress).U64(0x1001).U8(lineAdvanceLine, 7, lineCopy)
			end(s, 0x20)
		}, "1004-1021 /comp/first.c:1"},
		{"before the function", header{4, 1, 1}, func(s *asm.Section) {
			s.U8(0, 9, lineSetAddress).U64(0xff0).U8(lineCopy, lineAdvancePC, 0x20, lineAdvanceLine, 1, lineCopy)
			end(s, 2)
		}, "1010-1012 /comp/first.c:2"},
		{"behind the function", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineCopy); end(s, 0x1000) }, "1000-1100 /comp/first.c:1"},
		{"dropped by the linker", header{4, 1, 1}, func(s *asm.Section) { s.U8(0, 9, lineSetAddress).U64(0).U8(lineCopy); end(s, 0x2000) }, ""},
		{"no end", header{4, 1, 1}, func(s *asm.Section) { s.U8(lineCopy, lineAdvancePC, 9, lineCopy) }, ""},
	} {
		f := lineFile(t, tt.header.program(t, tt.body))
		if got := listed(t, f); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		check(t, f)
	}
}

// TestPaths joins names and folders.
func TestPaths(t *testing.T) {
	l := &lines{unit: &unit{group: &group{file: &File{}}}}
	for _, tt := range []struct{ dir, name, want string }{
		{"/a/b", "../c.h", "/a/c.h"},
		{"/a/./b/", "c.h", "/a/b/c.h"},
		{"rel", "c.h", "rel/c.h"},
		{"", "c.h", "c.h"},
		{"/a", "/b/c.h", "/b/c.h"},
		{`C:\a`, "c.h", `C:\a\c.h`},
		{`C:\a\`, "c.h", `C:\a\c.h`},
		{"C:/a", "c.h", "C:/a/c.h"},
		{"/a", `D:\b\..\c.h`, `D:\b\..\c.h`},
		{`\\host\share`, "c.h", `\\host\share\c.h`},
		{"./.", "<autogenerated>", "<autogenerated>"},
	} {
		if got := l.clean(tt.dir, tt.name); got != tt.want {
			t.Errorf("%q and %q: %q, want %q", tt.dir, tt.name, got, tt.want)
		}
	}
}
