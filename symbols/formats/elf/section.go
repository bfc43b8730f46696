package elf

import (
	"fmt"
	"io"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/symbols/archives/decompress"
)

// Types and flags of sections.
const (
	secSymbols    = 2
	secRela       = 4
	secNote       = 7
	secNothing    = 8 // SHT_NOBITS: not in the file
	secRel        = 9
	secDynSymbols = 11

	secExecutable = 4
	secWritable   = 1
	secCompressed = 0x800
)

type section struct {
	name      string
	nameAt    uint32
	kind      uint32
	flags     uint64
	addr      uint64
	off, size uint64
	link      uint32
	info      uint32
	entry     uint64 // size of an entry
}

func (s *section) executable() bool { return s.flags&secExecutable != 0 }

func (f *File) readSections() {
	need := f.h.sized(section32, section64)
	f.extendedCounts(need)
	f.table("elf: section headers", f.h.sects, need, func(c *bin.Cursor) {
		f.sects = append(f.sects, f.parseSection(c))
	})
	f.nameSections()
}

// extendedCounts finds the numbers that do not fit the header: they are in the
// first section, which is otherwise empty.
func (f *File) extendedCounts(need int) {
	h := &f.h
	if h.sects.off == 0 || h.sects.count != 0 && h.names != extendedNum && h.segs.count != extendedNum {
		return
	}
	one := h.sects
	one.count = 1
	f.table("elf: section headers", one, need, func(c *bin.Cursor) {
		first := f.parseSection(c)
		if h.sects.count == 0 {
			h.sects.count = uint32(min(first.size, maxHeaders))
		}
		if h.names == extendedNum {
			h.names = first.link
		}
		if h.segs.count == extendedNum {
			h.segs.count = first.info
		}
	})
}

func (f *File) parseSection(c *bin.Cursor) (s section) {
	h := &f.h
	s.nameAt, s.kind = c.U32(), c.U32()
	s.flags, s.addr, s.off, s.size = h.word(c), h.word(c), h.word(c), h.word(c)
	s.link, s.info = c.U32(), c.U32()
	h.word(c) // alignment
	s.entry = h.word(c)
	return s
}

const maxSectionName = 256

func (f *File) nameSections() {
	if len(f.sects) == 0 {
		return
	}
	if uint64(f.h.names) >= uint64(len(f.sects)) {
		f.note("elf: section headers: section %d has their names, there are %d", f.h.names, len(f.sects))
		return
	}
	names := bin.NewPager("elf: names of sections", f.raw(&f.sects[f.h.names]), 1<<20)
	for i := range f.sects {
		s := &f.sects[i]
		if s.nameAt == 0 && s.kind == 0 {
			continue
		}
		var err error
		if s.name, err = names.String(int64(s.nameAt), maxSectionName); err != nil {
			f.note("elf: name of section %d: %v", i, err)
		}
	}
}

// raw returns the bytes of a section in the file, as far as the file has them.
func (f *File) raw(s *section) bin.Source {
	if s.kind == secNothing || s.off == 0 || s.off >= uint64(f.src.Size()) {
		return bin.Source{}
	}
	size := min(s.size, uint64(f.src.Size())-s.off)
	if size < s.size {
		f.note("elf: section %s at %#x: %d bytes reach beyond the end of the file at %#x", s.name, s.off, s.size, f.src.Size())
	}
	return bin.NewSource(io.NewSectionReader(f.src, int64(s.off), int64(size)), int64(size))
}

// find returns the first section of a name that has bytes in the file. One of
// which only the header was kept has type SHT_NOBITS (objcopy
// --only-keep-debug) or offset 0 (old dsymutil and strip).
func (f *File) find(name string) *section {
	for i := range f.sects {
		if s := &f.sects[i]; s.name == name && s.kind != secNothing && s.off != 0 {
			return s
		}
	}
	return nil
}

// Section returns a section's content, decompressed on the first read. A missing section is empty.
func (f *File) Section(name string) bin.Source {
	if s := f.find(name); s != nil {
		return f.data(s)
	}
	// GNU's form, older than the flag.
	if rest, ok := cutDebug(name); ok {
		if s := f.find(".zdebug_" + rest); s != nil {
			return f.unpacked.OpenGNU(fmt.Sprintf("elf: section %s at %#x", s.name, s.off), f.raw(s))
		}
	}
	return bin.Source{}
}

// Kinds of compression (ch_type).
const (
	compressZlib = 1
	compressZstd = 2
)

func cutDebug(name string) (string, bool) { return strings.CutPrefix(name, ".debug_") }

// compressed reads a section with SHF_COMPRESSED: it begins with an Elf_Chdr.
func (f *File) compressed(s *section) bin.Source {
	raw := f.raw(s)
	head, err := raw.ReadUpTo("elf: section "+s.name, 0, 24)
	if err != nil {
		f.note("%v", err)
		return bin.Source{}
	}
	c := bin.NewOrderedCursor("elf: section "+s.name, 0, head, f.h.order)
	kind := c.U32()
	if f.h.is64 {
		c.Skip(4)
	}
	size := f.h.word(c)
	f.h.word(c) // alignment
	if err := c.Err(); err != nil {
		f.note("%v", err)
		return bin.Source{}
	}
	return f.unpack(s, raw, c.Offset(), kind, size)
}

func (f *File) unpack(s *section, raw bin.Source, from int64, kind uint32, size uint64) bin.Source {
	open, ok := decompressors[kind]
	if !ok {
		f.note("elf: section %s at %#x: compression %d is neither zlib nor zstd", s.name, s.off, kind)
		return bin.Source{}
	}
	return f.unpacked.Open(fmt.Sprintf("elf: section %s at %#x", s.name, s.off), raw, from, size, open)
}

// decompressors are by ch_type.
var decompressors = map[uint32]decompress.Decompressor{compressZlib: decompress.Zlib, compressZstd: decompress.Zstd}
