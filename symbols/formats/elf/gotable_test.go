package elf

import (
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/gotable"
)

// goProgram is a stripped program of Go. movable puts the words of moduledata into relocations, and leaves zeros in the data.
func goProgram(t *testing.T, section string, movable bool) []byte {
	p := gotable.Build(t, gotable.Magic20, 0)
	data, rela := asm.At(gotable.DataAt), asm.At(0)
	for at := uint64(gotable.DataAt); at < gotable.DataAt+0x200; at += 8 {
		value := p.Pointers[at]
		if movable && value != 0 {
			rela.U64(at, 8, value)
			value = 0
		}
		data.U64(value)
	}
	r := recipe{machine: 62, kind: 2, sections: []made{
		{name: ".text", kind: 1, flags: 6, addr: gotable.TextAt, data: make([]byte, 0x80)},
		{name: section, kind: 1, flags: 2, addr: gotable.TableAt, data: p.Table},
		{name: ".rodata", kind: 1, flags: 2, addr: gotable.TreeAt, data: p.Tree},
		{name: ".noptrdata", kind: 1, flags: 3, addr: gotable.DataAt, data: data.Build(t)},
		{name: ".rela.dyn", kind: secRela, flags: 2, data: rela.Build(t)},
	}}
	r.segments = func(s *asm.Section, off map[string]uint64) int {
		for i, m := range r.sections[:4] {
			flags := []uint32{5, 4, 4, 6}[i]
			s.U32(segLoad, flags).U64(off[m.name], m.addr, m.addr, uint64(len(m.data)), uint64(len(m.data)), 8)
		}
		return 4
	}
	return r.build(t)
}

// The functions of Go's table are found by the table's section or, in a file without section headers, by its first bytes, and
// what they refer to by moduledata, whose words may be in relocations.
func TestGoTable(t *testing.T) {
	for _, tt := range []struct {
		name, section string
		movable       bool
		edit          func([]byte)
	}{
		{name: "by section", section: ".gopclntab"},
		{name: "movable", section: ".data.rel.ro.gopclntab", movable: true},
		{name: "without section headers", section: ".gopclntab", edit: func(b []byte) { copy(b[0x3a:], []byte{0, 0, 0, 0, 0, 0}); copy(b[0x28:], make([]byte, 8)) }},
	} {
		file := goProgram(t, tt.section, tt.movable)
		if tt.edit != nil {
			tt.edit(file)
		}
		f := openBytes(t, file)
		rel := gotable.TextAt + 0x12 - f.base
		loc, ok := f.Locate(rel)
		if !ok || loc.Function != "main.f" || loc.Public || loc.Line != 12 || len(loc.Inlines) != 1 || loc.Inlines[0].Function != "main.inlined" {
			t.Errorf("%s: %+v, notes %q", tt.name, loc, f.Notes())
		}
		if fn, _ := f.Function(rel); fn.Name != "main.f" || fn.Size != 0x40 {
			t.Errorf("%s: %+v", tt.name, fn)
		}
		if frame, ok := f.CallFrame(rel); !ok || frame.Size != 0x40 || !f.HasRules() {
			t.Errorf("%s: %+v", tt.name, frame)
		}
	}
}

// A table whose functions are nowhere is noted, and names nothing.
func TestGoTableWithoutModuleData(t *testing.T) {
	file := goProgram(t, ".gopclntab", false)
	for i := 0; i+8 <= len(file); i += 8 {
		if slices.Equal(file[i:i+8], []byte{0, 0, 0x50, 0, 0, 0, 0, 0}) && i > 0x200 { // pointers to the table
			file[i+3] = 1
		}
	}
	f := openBytes(t, file)
	if loc, _ := f.Locate(gotable.TextAt - f.base); loc.Function != "<.text ELF section in made>" || len(f.Notes()) != 1 {
		t.Errorf("%+v, notes %q", loc, f.Notes())
	}
}
