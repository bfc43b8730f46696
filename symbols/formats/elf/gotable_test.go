package elf

import (
	"testing"

	"crashglass/core/testkit/asm"
)

// goProgram has Go's table of three functions in .text at 0x1000, with the start of the text in the table, and the
// entry point.
func goProgram(t *testing.T, text, entry uint64, edit func(table []byte)) *File {
	const names, table = 0x48, 0x70
	s := asm.At(0).U32(goMagic20).U8(0, 0, 1, 8).U64(3, 0, text, names, 0, 0, 0, table)
	s.Text("main.run\x00_rt0_amd64_linux\x00main.stop\x00").Align(8)
	if s.Here() != table {
		t.Fatalf("the table is at %#x", s.Here())
	}
	s.U32(0x00, 0x1c, 0x10, 0x24, 0x20, 0x2c, 0x30) // starts, and offsets of records from the table
	s.U32(0x00, 0, 0x10, 9, 0x20, 27)
	data := s.Build(t)
	if edit != nil {
		edit(data)
	}
	r := recipe{machine: 62, kind: 2, sections: []made{
		{name: ".text", kind: 1, flags: 6, addr: 0x1000, data: make([]byte, 0x40)},
		{name: ".gopclntab", kind: 1, flags: 2, addr: 0x2000, data: data},
	}}
	file := r.build(t)
	copy(file[0x18:], asm.At(0).U64(entry).Build(t))
	return openBytes(t, file)
}

// A stripped program of Go has its functions in the runtime's table.
func TestGoTable(t *testing.T) {
	for _, tt := range []struct {
		name        string
		text, entry uint64
		edit        func([]byte)
		want        string // at 0x1018
	}{
		{"with the start of the text", 0x1000, 0, nil, "_rt0_amd64_linux"},
		{"of Go 1.26", 0, 0x1010, nil, "_rt0_amd64_linux"},
		{"of Go 1.26, linked by a C compiler", 0, 0x1000, nil, "<.text ELF section in made>"},
		{"of an older Go", 0x1000, 0, func(b []byte) { b[0] = 0xfa }, "<.text ELF section in made>"},
		{"with too many functions", 0x1000, 0, func(b []byte) { b[12] = 0xff }, "<.text ELF section in made>"},
		{"with names behind its end", 0x1000, 0, func(b []byte) { b[33] = 0xff }, "<.text ELF section in made>"},
		{"with a record behind its end", 0x1000, 0, func(b []byte) { b[0x77] = 0xff }, "<.text ELF section in made>"},
	} {
		f := goProgram(t, tt.text, tt.entry, tt.edit)
		loc, _ := f.Locate(0x1018 - f.base)
		if loc.Function != tt.want {
			t.Errorf("%s: %+v, notes %q", tt.name, loc, f.Notes())
		}
		if tt.want[0] == '_' && (loc.Start != 0x1010-f.base || loc.Stated != 0x10) {
			t.Errorf("%s: %+v", tt.name, loc)
		}
	}
}
