package elf

import "crashglass/core/base/bin"

// Tags of the dynamic section.
const (
	dynStrings = 5
	dynSoname  = 14
)

// maxDynamic bounds the read part of the dynamic section.
const maxDynamic = 64 << 10

// maxPath bounds a name of a file.
const maxPath = 4096

// readSoname finds the library's own name: DT_SONAME, in the strings at DT_STRTAB.
func (f *File) readSoname() {
	var data []byte
	for _, s := range f.segs {
		if s.kind == segDynamic && s.size > 0 {
			// A debug file has the segment without its bytes.
			data, _ = f.src.ReadUpTo("elf: dynamic section", int64(s.off), min(s.size, maxDynamic))
		}
	}
	if sect := f.section(".dynamic"); sect != nil && sect.kind == secNothing {
		return
	}
	var strings, name uint64
	c := bin.NewOrderedCursor("elf: dynamic section", 0, data, f.h.order)
	for c.Len() >= 2*f.h.wordSize() {
		tag, value := f.h.word(c), f.h.word(c)
		switch tag {
		case 0:
			c.Skip(c.Len())
		case dynStrings:
			strings = value
		case dynSoname:
			name = value
		}
	}
	if name == 0 {
		return
	}
	off, err := f.fileRange(strings+name, 1)
	if err != nil {
		f.note("elf: dynamic section: name at %#x: %v", strings+name, err)
		return
	}
	f.soname, _ = bin.NewPager("elf: name", f.src, bin.PageSize).String(off, maxPath)
}

// section returns the first section of a name, with or without bytes.
func (f *File) section(name string) *section {
	for i := range f.sects {
		if f.sects[i].name == name {
			return &f.sects[i]
		}
	}
	return nil
}
