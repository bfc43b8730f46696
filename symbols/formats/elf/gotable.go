package elf

import (
	"slices"
	"strings"

	"crashglass/core/base/bin"
)

// Go's table of functions, which stripped programs keep, because the runtime needs it. Source: Go's
// src/runtime/symtab.go (pcHeader, functab), src/internal/abi/symtab.go (PCLnTabMagic) and
// src/cmd/link/internal/ld/pcln.go.
const (
	goMagic18 = 0xfffffff0
	goMagic20 = 0xfffffff1
	goEntry   = 8 // bytes of functab: the function's offset in the text, and that of its record
)

// goTables are the names of the table's section, in programs without and with relocations.
var goTables = []string{".gopclntab", ".data.rel.ro.gopclntab"}

// isStripped reports whether neither the file nor those attached have a table of all symbols.
func (f *File) isStripped() bool {
	for _, from := range append([]*File{f}, f.attached...) {
		if slices.ContainsFunc(from.sects, func(s section) bool { return s.kind == secSymbols }) {
			return false
		}
	}
	return true
}

// addGo adds the functions of Go's table to the symbols.
func (f *File) addGo(t *symtab) {
	for _, name := range goTables {
		if s := f.find(name); s != nil && len(t.strings) < maxTables {
			if err := f.addGoTable(t, s); err != nil {
				f.note("%v", err)
			}
		}
	}
}

func (f *File) addGoTable(t *symtab, s *section) error {
	raw, what := f.data(s), "elf: section "+s.name
	data, err := raw.ReadUpTo(what, 0, uint64(8+8*f.h.wordSize()))
	if err != nil {
		return err
	}
	c := bin.NewOrderedCursor(what, int64(s.off), data, f.h.order)
	magic := c.U32()
	if magic != goMagic18 && magic != goMagic20 {
		return nil // the table of a version before Go 1.18
	}
	c.Skip(3)
	word := int(c.U8())
	if word != f.h.wordSize() {
		return nil
	}
	var fields [8]uint64 // functions, files, start of the text, and offsets: names, units, files, tables, functions
	for i := range fields {
		fields[i] = f.h.word(c)
	}
	if c.Err() != nil {
		return c.Err()
	}
	count, text, names, table := fields[0], fields[2], fields[3], fields[7]
	if size := uint64(raw.Size()); names >= size || table >= size || count > (size-table)/goEntry {
		return &bin.Error{What: what, Off: int64(s.off), Why: "offsets of names and functions are not in the section"}
	}
	t.strings = append(t.strings, bin.NewPager(what, raw, stringsInCache))
	return f.addGoFunctions(t, raw, what, count, names, table, text)
}

// addGoFunctions reads the functions. Each one ends where the next one starts. The start of the text is
// 0 in tables of Go 1.26, see goText.
func (f *File) addGoFunctions(t *symtab, raw bin.Source, what string, count, names, table, text uint64) error {
	list, err := raw.Read(what, int64(table), count*goEntry+4)
	if err != nil {
		return err
	}
	c := bin.NewOrderedCursor(what, int64(table), list, f.h.order)
	functions := make([]symbol, 0, count)
	start := uint64(c.U32())
	for range count {
		record := table + uint64(c.U32())
		end := uint64(c.U32())
		head, err := raw.Read(what, int64(record), 8) // entryOff, nameOff
		if err != nil {
			return err
		}
		if name := names + uint64(f.h.order.Uint32(head[4:])); end > start && name < uint64(raw.Size()) {
			functions = append(functions, symbol{addr: start, size: end - start, name: uint32(name), strings: int16(len(t.strings) - 1)})
		}
		start = end
	}
	if text == 0 {
		if text = f.goText(t, functions); text == 0 {
			return nil
		}
	}
	for _, s := range functions {
		if s.addr += text; s.addr >= f.base {
			s.addr -= f.base
			t.list = append(t.list, s)
		}
	}
	return nil
}

// goText returns the start of Go's functions where the table lacks it: that of .text, if the program's
// entry point is then Go's. In a program that a C compiler linked it is C's, and the start is unknown.
func (f *File) goText(t *symtab, functions []symbol) uint64 {
	s := f.find(".text")
	if s == nil {
		return 0
	}
	for _, fn := range functions {
		if s.addr+fn.addr == f.h.entry && strings.HasPrefix(t.nameOf(fn), "_rt0_") {
			return s.addr
		}
	}
	return 0
}
