package elf

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
)

// Types and flags of segments.
const (
	segLoad    = 1
	segDynamic = 2
	segNote    = 4

	segExecutable = 1
	segWritable   = 2
)

// A segment is a program header: a range of the file and its address in memory.
type segment struct {
	kind, flags uint32
	off, addr   uint64
	size        uint64 // in the file
	mem         uint64 // in memory
	align       uint64
}

// maxHeaders bounds how many headers of one kind are read. The kernel takes
// 64 KiB of segments; sections come in tens of thousands with -ffunction-sections.
const maxHeaders = 1 << 20

// table returns a cursor over each entry of a table of headers. Entries may be
// longer than what is known of them.
func (f *File) table(what string, t tablePlace, need int, each func(c *bin.Cursor)) {
	if t.count == 0 || t.off == 0 {
		return
	}
	if int(t.size) < need {
		f.note("%s at %#x: entries of %d bytes, %d are needed", what, t.off, t.size, need)
		return
	}
	count := min(t.count, maxHeaders)
	data, err := f.src.ReadUpTo(what, int64(t.off), uint64(count)*uint64(t.size))
	if err != nil {
		f.note("%v", err)
		return
	}
	if have := uint32(len(data) / int(t.size)); have < t.count {
		f.note("%s at %#x: count %d, of which the file has %d", what, t.off, t.count, have)
		count = have
	}
	for i := range count {
		at := int(i) * int(t.size)
		each(bin.NewOrderedCursor(what, int64(t.off)+int64(at), data[at:at+int(t.size)], f.h.order))
	}
}

func (f *File) readSegments() {
	f.table("elf: program headers", f.h.segs, f.h.sized(segment32, segment64), func(c *bin.Cursor) {
		s := segment{kind: c.U32()}
		if f.h.is64 {
			s.flags = c.U32()
		}
		s.off, s.addr = f.h.word(c), f.h.word(c)
		f.h.word(c) // physical address
		s.size, s.mem = f.h.word(c), f.h.word(c)
		if !f.h.is64 {
			s.flags = c.U32()
		}
		s.align = f.h.word(c)
		f.segs = append(f.segs, s)
	})
}

// minPage is the page that the base of a module is a multiple of. The loader
// rounds down to its own page; all are multiples of this.
const minPage = 4096

// placeInMemory finds the module's base and its size.
func (f *File) placeInMemory() {
	first := true
	var end uint64
	for _, s := range f.segs {
		if s.kind != segLoad {
			continue
		}
		last := s.addr + s.mem
		if last < s.addr {
			f.note("elf: program headers: a segment of %#x bytes at %#x wraps around", s.mem, s.addr)
			continue
		}
		if start := s.addr &^ (minPage - 1); first || start < f.base {
			f.base = start
		}
		end, first = max(end, last), false
	}
	if !first {
		f.size = end - f.base
	}
}

func (f *File) fileRange(addr, size uint64) (off int64, err error) {
	for _, s := range f.segs {
		if s.kind == segLoad && addr >= s.addr && addr-s.addr < s.size && size <= s.size-(addr-s.addr) {
			off := s.off + (addr - s.addr)
			if off < s.off || !f.src.Has(int64(off), size) {
				break
			}
			return int64(off), nil
		}
	}
	return 0, fmt.Errorf("elf: no segment has %d bytes at %#x", size, addr)
}

// Rel implements symbolize.Layout.
func (f *File) Rel(kind module.Offsets, at uint64) (uint64, bool) {
	for _, s := range f.segs {
		var addr uint64
		switch page := s.off % minPage; {
		case s.kind != segLoad:
			continue
		case kind == module.Linked && at-s.addr < s.mem:
			addr = at
		case kind == module.InFile && at-s.off < s.size:
			addr = s.addr + (at - s.off)
		case kind == module.InCode && s.flags&segExecutable != 0 && at >= page && at-page < s.size:
			addr = s.addr + (at - page)
		default:
			continue
		}
		return addr - f.base, true
	}
	return at, kind == module.FromBase
}

// Tags of the dynamic section.
const (
	dynStrings    = 5
	dynSoname     = 14
	dynTextRelocs = 22
	dynFlags      = 30

	flagTextRelocs = 4 // of dynFlags
)

// maxDynamic bounds the read part of the dynamic section.
const maxDynamic = 64 << 10

// maxPath bounds a name of a file.
const maxPath = 4096

// readSoname finds the library's own name: DT_SONAME, in the strings at DT_STRTAB. It also finds whether the dynamic linker
// relocates code.
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
		case dynTextRelocs:
			f.textRelocs = true
		case dynFlags:
			f.textRelocs = f.textRelocs || value&flagTextRelocs != 0
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
