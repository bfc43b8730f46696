package macho

import (
	"bytes"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/gotable"
)

// goProgram is a stripped program of Go for a Mac. word is how the linker writes an address of the program into its data.
func goProgram(t *testing.T, word func(addr uint64) uint64) []byte {
	p := gotable.Build(t, gotable.Magic20, 0)
	data := asm.At(0)
	for at := uint64(gotable.DataAt); at < gotable.DataAt+0x200; at += 8 {
		value := p.Pointers[at]
		if value != 0 {
			value = word(value)
		}
		data.U64(value)
	}
	const base, textOff, tableOff, treeOff, dataOff = 0x400000, 0x1000, 0x2000, 0x3000, 0x4000
	m := &testImage{}
	commands := asm.At(0)
	one := func(segment, section string, addr, off uint64, size int, prot, flags uint32) {
		m.segment(commands, segment, addr, uint64(size), off, uint64(size), prot, func(s *asm.Section) {
			m.section(s, section, segment, addr, uint64(size), uint32(off), flags)
		}, 1)
	}
	m.segment(commands, "__TEXT", base, 0x1080, 0, 0x1080, 5, func(s *asm.Section) {
		m.section(s, "__text", "__TEXT", gotable.TextAt, 0x80, textOff, 0x80000400)
	}, 1)
	one("__DATA_CONST", "__gopclntab", gotable.TableAt, tableOff, len(p.Table), 1, 0)
	one("__RODATA", "__rodata", gotable.TreeAt, treeOff, len(p.Tree), 1, 0)
	one("__DATA", "__go_module", gotable.DataAt, dataOff, 0x200, 3, 0)
	list := commands.Build(t)
	s := asm.At(0).U32(0xfeedfacf, cpuAMD64, 3, 2, 4, uint32(len(list)), 0, 0).Bytes(list)
	file := append(s.Build(t), make([]byte, 0x5000-int(s.Here()))...)
	copy(file[tableOff:], p.Table)
	copy(file[treeOff:], p.Tree)
	copy(file[dataOff:], data.Build(t))
	return file
}

// Go's table is found by its section, and what it refers to by moduledata, whose words may be chained fixups with addresses or with distances from the base.
func TestGoTable(t *testing.T) {
	const next, base = 3 << 51, 0x400000
	for name, word := range map[string]func(uint64) uint64{
		"plain":             func(addr uint64) uint64 { return addr },
		"chained":           func(addr uint64) uint64 { return next | addr },
		"chained distances": func(addr uint64) uint64 { return next | (addr - base) },
	} {
		file := goProgram(t, word)
		all, err := OpenAll(bin.NewSource(bytes.NewReader(file), int64(len(file))), Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, rel := all[0], uint64(gotable.TextAt+0x12-base)
		loc, ok := f.Locate(rel)
		if !ok || loc.Function != "main.f" || loc.Public || loc.Line != 12 || len(loc.Inlines) != 1 || loc.Inlines[0].Function != "main.inlined" {
			t.Errorf("%s: %+v, notes %q", name, loc, f.Notes())
		}
		if fn, _ := f.Function(rel); fn.Name != "main.f" || fn.Size != 0x40 {
			t.Errorf("%s: %+v", name, fn)
		}
		if frame, ok := f.CallFrame(rel); !ok || frame.Size != 0x40 {
			t.Errorf("%s: %+v", name, frame)
		}
	}
}
