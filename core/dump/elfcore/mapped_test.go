package elfcore

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
)

// elfFile is the first page of a library: a segment with its header, and code
// from its second page on.
func elfFile(t *testing.T) []byte {
	s := asm.At(0).
		Text("\x7fELF\x02\x01\x01").Zeros(9).U16(3, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, 2, 0, 0, 0)
	s.U32(1, 4).U64(0, 0, 0, 0x1000, 0x1000, 0x1000)
	s.U32(1, 5).U64(0x1000, 0x1000, 0, 0x1000, 0x1000, 0x1000)
	return s.Zeros(0x1000 - int(s.Here())).Build(t)
}

// A loaded library has a separate mapping for its code. A tool that maps a file to read it maps all
// of it at once; that is no module.
func TestMappedFiles(t *testing.T) {
	const read, exec = 4, 5
	file := elfFile(t)
	for _, tt := range []struct {
		name  string
		files []uint64 // start, end, page
		loads []uint64 // flags, address, bytes of the file, size
		want  string
	}{
		{"loaded", []uint64{0x10000, 0x11000, 0, 0x11000, 0x12000, 1}, []uint64{read, 0x10000, 0x1000, 0x1000, exec, 0x11000, 0, 0x1000}, "/f"},
		{"loaded, by gdb", []uint64{0x10000, 0x11000, 0, 0x11000, 0x12000, 1}, []uint64{read, 0x10000, 0x1000, 0x1000}, "/f"},
		{"out of a package", []uint64{0x10000, 0x11000, 16, 0x11000, 0x12000, 17}, []uint64{read, 0x10000, 0x1000, 0x1000, exec, 0x11000, 0, 0x1000}, "/f"},
		{"mapped", []uint64{0x10000, 0x12000, 0}, []uint64{read, 0x10000, 0x1000, 0x2000}, ""},
		{"mapped, by gdb", []uint64{0x10000, 0x12000, 0}, []uint64{read, 0x10000, 0x1000, 0x1000}, ""},
		{"mapped in part", []uint64{0x10000, 0x11000, 0}, []uint64{read, 0x10000, 0x1000, 0x1000}, ""},
		{"code of another file behind it", []uint64{0x10000, 0x11000, 0, 0x11000, 0x12000, 9}, []uint64{read, 0x10000, 0x1000, 0x1000, exec, 0x11000, 0, 0x1000}, ""},
	} {
		count := len(tt.files) / 3
		notes := asm.At(0)
		note(notes, "CORE", noteFiles, asm.At(0).U64(uint64(count), 0x1000).U64(tt.files...).Text(strings.Repeat("/f\x00", count)).Build(t))
		list := notes.Build(t)
		s := asm.At(0).Text("\x7fELF\x02\x01\x01").Zeros(9).U16(4, 62).U32(1).U64(0, 64, 0).U32(0).U16(64, 56, uint16(1+len(tt.loads)/4), 0, 0, 0)
		s.U32(4, 0).Ref("notes").U64(0, 0, uint64(len(list)), 0, 4)
		for l := tt.loads; len(l) > 0; l = l[4:] {
			s.U32(1, uint32(l[0])).Ref("file").U64(l[1], 0, l[2], l[3], 0x1000)
		}
		modules, _ := open(t, s.Mark("notes").Bytes(list).Mark("file").Bytes(file).Build(t)).Modules()
		got := ""
		for _, m := range modules {
			got += m.CodeFile
		}
		if got != tt.want {
			t.Errorf("%s: modules %q, want %q", tt.name, got, tt.want)
		}
	}
}
