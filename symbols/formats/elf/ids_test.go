package elf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestBuildIDs looks for a build id among other notes, in segments and in the section.
func TestBuildIDs(t *testing.T) {
	word := func(owner string, kind uint32, desc string, align int) []byte {
		return asm.At(0).U32(uint32(len(owner)), uint32(len(desc)), kind).Text(owner).Align(align).Text(desc).Align(align).Build(t)
	}
	id := word("GNU\x00", noteBuildID, "\xab\xcd", 4)
	for _, tt := range []struct {
		name  string
		notes []byte
		align uint64
		want  string
		said  string
	}{
		{"alone", id, 4, "abcd", ""},
		{"after another of GNU", slices.Concat(word("GNU\x00", 1, "abi tag of 16 by", 4), id), 4, "abcd", ""},
		{"after one of another owner", slices.Concat(word("Go\x00\x00", noteBuildID, "xyz", 4), id), 4, "abcd", ""},
		{"after an odd name", slices.Concat(word("stapsdt", 3, "12345", 4), id), 4, "abcd", ""},
		{"aligned to 8", slices.Concat(word("GNU\x00", 5, "1234", 8), word("GNU\x00", noteBuildID, "\xab\xcd", 8)), 8, "abcd", ""},
		{"the first of two", slices.Concat(id, word("GNU\x00", noteBuildID, "second", 4)), 4, "abcd", ""},
		{"empty", word("GNU\x00", noteBuildID, "", 4), 4, "", ""},
		{"an empty one first", slices.Concat(word("GNU\x00", noteBuildID, "", 4), id), 4, "abcd", ""},
		{"without its padding", id[:18], 4, "abcd", ""},
		{"cut in the description", id[:17], 4, "", "need 2 bytes, have 1"},
		{"cut in the name", id[:14], 4, "", "need 4 bytes, have 2"},
		{"cut in the header", id[:11], 4, "", ""},
		{"of a name of 4 GiB", slices.Concat([]byte{0xff, 0xff, 0xff, 0xff}, id[4:]), 4, "", "need"},
	} {
		for _, where := range []string{"segment", "section"} {
			if where == "section" && tt.align == 8 {
				continue // build ids are aligned to 4 there
			}
			r := recipe{machine: 62, sections: []made{{name: ".notes", kind: secNote, data: tt.notes}}}
			if where == "section" {
				r.sections[0].name = ".note.gnu.build-id"
			} else {
				r.segments = func(s *asm.Section, off map[string]uint64) int {
					s.U32(segNote, 4).U64(off[".notes"], 0x200, 0x200, uint64(len(tt.notes)), uint64(len(tt.notes)), tt.align)
					return 1
				}
			}
			f := r.open(t)
			notes := strings.Join(f.Notes(), "\n")
			if got := f.Module().CodeID; got != tt.want || (notes == "") != (tt.said == "") || !strings.Contains(notes, tt.said) {
				t.Errorf("%s, in a %s: %q, %q, want %q, %q", tt.name, where, got, notes, tt.want, tt.said)
			}
		}
	}
}

// TestSoname finds DT_SONAME by the segments, as the loader does.
func TestSoname(t *testing.T) {
	const strings_ = "\x00libc.so.6\x00libmade.so.1\x00"
	for _, tt := range []struct {
		name    string
		dynamic []uint64
		want    string
		note    string
	}{
		{"as linkers write it", []uint64{1, 1, dynSoname, 11, dynStrings, 0x2000, 0, 0}, "libmade.so.1", ""},
		{"strings first", []uint64{dynStrings, 0x2000, dynSoname, 11, 0, 0}, "libmade.so.1", ""},
		{"without an end", []uint64{dynStrings, 0x2000, dynSoname, 11}, "libmade.so.1", ""},
		{"behind the end", []uint64{dynStrings, 0x2000, 0, 0, dynSoname, 11}, "", ""},
		{"none", []uint64{dynStrings, 0x2000, 0, 0}, "", ""},
		{"half an entry", []uint64{dynStrings, 0x2000, dynSoname}, "", ""},
		{"of no segment", []uint64{dynStrings, 0x9000, dynSoname, 11, 0, 0}, "", "elf: dynamic section: name at 0x900b: elf: no segment has 1 bytes at 0x900b"},
		{"behind the segment", []uint64{dynStrings, 0x2000, dynSoname, uint64(len(strings_)), 0, 0}, "", "elf: dynamic section: name at 0x2018: elf: no segment has 1 bytes at 0x2018"},
	} {
		for _, wide := range []bool{true, false} {
			s := asm.At(0)
			word := 8
			if !wide {
				word = 4
			}
			dynamic := s.Word(word, tt.dynamic...).Build(t)
			r := recipe{machine: 62, bits32: !wide, sections: []made{{name: ".dynamic", kind: 6, data: dynamic}, {name: ".dynstr", kind: 3, data: []byte(strings_)}}}
			r.segments = func(s *asm.Section, off map[string]uint64) int {
				for _, g := range []struct{ kind, off, addr, size uint64 }{
					{segLoad, off[".dynstr"], 0x2000, uint64(len(strings_))}, {segDynamic, off[".dynamic"], 0x3000, uint64(len(dynamic))},
				} {
					if wide {
						s.U32(uint32(g.kind), 6).U64(g.off, g.addr, g.addr, g.size, g.size, 8)
					} else {
						s.U32(uint32(g.kind), uint32(g.off), uint32(g.addr), uint32(g.addr), uint32(g.size), uint32(g.size), 6, 4)
					}
				}
				return 2
			}
			f := r.open(t)
			if m := f.Module(); m.CodeFile != tt.want || m.DebugFile != tt.want || strings.Join(f.Notes(), "\n") != tt.note {
				t.Errorf("%s, 64 bits %v: %q, %q, want %q, %q", tt.name, wide, m.CodeFile, f.Notes(), tt.want, tt.note)
			}
		}
	}
}

// TestFileRange finds the bytes of addresses: all of them, in one segment that is loaded.
func TestFileRange(t *testing.T) {
	f := recipe{machine: 62, sections: []made{{name: ".data", kind: 1, data: make([]byte, 0x100)}}, segments: func(s *asm.Section, off map[string]uint64) int {
		s.U32(segLoad, 6).U64(0x40, 0x1000, 0x1000, 0x80, 0x200, 8) // the rest of it is zero
		s.U32(segNote, 6).U64(0x40, 0x5000, 0x5000, 0x80, 0x80, 8)
		s.U32(segLoad, 6).U64(0x80, 0x2000, 0x2000, 0x1_0000, 0x1_0000, 8) // the file ends sooner
		s.U32(segLoad, 6).U64(^uint64(0xf), 0x3000, 0x3000, 0x20, 0x20, 8)
		return 4
	}}.open(t)
	for _, tt := range []struct {
		addr, size uint64
		want       string
	}{
		{0x1000, 1, "0x40"}, {0x1000, 0x80, "0x40"}, {0x107f, 1, "0xbf"}, {0x1010, 0x70, "0x50"},
		{0xfff, 1, ""}, {0x1080, 1, ""}, {0x1000, 0x81, ""}, {0x1010, 0x71, ""}, {0x1010, ^uint64(0), ""},
		{0x2000, 8, "0x80"}, {0x2000, 0x8000, ""}, {0x5000, 1, ""}, {0x3000, 1, ""}, {0x3018, 1, ""},
	} {
		got := ""
		off, err := f.fileRange(tt.addr, tt.size)
		if err == nil {
			got = fmt.Sprintf("%#x", off)
		}
		if want := fmt.Sprintf("elf: no segment has %d bytes at %#x", tt.size, tt.addr); got != tt.want || err != nil && err.Error() != want {
			t.Errorf("%#x bytes at %#x: %s, %v, want %s", tt.size, tt.addr, got, err, tt.want)
		}
	}
}

// TestRaw cuts sections where the file ends, and says so.
func TestRaw(t *testing.T) {
	data := program(t).build(t)
	le := binary.LittleEndian
	text := le.Uint64(data[0x28:]) + section64 // the header of .text
	for _, tt := range []struct {
		name      string
		off, size uint64
		want      int64
		note      string
	}{
		{"whole", 0x40, 0x80, 0x80, ""},
		{"up to the end", uint64(len(data)) - 8, 8, 8, ""},
		{"one byte beyond", uint64(len(data)) - 8, 9, 8, fmt.Sprintf("elf: section .text at %#x: 9 bytes reach beyond the end of the file at %#x", len(data)-8, len(data))},
		{"at the end", uint64(len(data)), 8, 0, ""},
		{"far behind", 1 << 60, 8, 0, ""},
		{"nowhere", 0, 8, 0, ""},
	} {
		le.PutUint64(data[text+0x18:], tt.off)
		le.PutUint64(data[text+0x20:], tt.size)
		f := openBytes(t, bytes.Clone(data))
		var size int64
		for i := range f.sects {
			if f.sects[i].name == ".text" {
				src := f.raw(&f.sects[i])
				size = src.Size()
			}
		}
		if size != tt.want || tt.note != "" && !slices.Contains(f.Notes(), tt.note) || tt.note == "" && tt.want > 0 && len(f.Notes()) > 0 {
			t.Errorf("%s: %d bytes, %q, want %d, %q", tt.name, size, f.Notes(), tt.want, tt.note)
		}
	}
}
