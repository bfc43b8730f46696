package macho

import (
	"fmt"
	"io"

	"crashglass/core/base/bin"
	"crashglass/core/stack/symbolize"
)

const (
	protWrite = 2

	sectTypeMask   = 0xff
	sectZero       = 1
	sectZeroLarge  = 0xc
	sectZeroThread = 0x12
	sectStubs      = 8
	sectPureCode   = 0x8000_0000
	sectSomeCode   = 0x400
	sectChanges    = 0x0400_0300 // S_ATTR_SELF_MODIFYING_CODE, S_ATTR_EXT_RELOC, S_ATTR_LOC_RELOC

	flagInCache = 0x8000_0000 // MH_DYLIB_IN_CACHE: code of the shared cache, where calls are changed

	// Symbols number sections in one byte. What is looked for in all sections
	// and segments is looked for often.
	maxSectionCount = 1 << 10
	maxSegments     = 1 << 10
)

// A segment is a part of the address space.
type segment struct {
	name       string
	addr, size uint64
	file       byteRange
	initial    uint32 // protection when it is loaded
}

// A section is a part of a segment.
type section struct {
	name, segment string
	addr, size    uint64
	off           uint64
	relocs        byteRange
	flags         uint32
}

// isCode reports whether a section has instructions, or may have some (S_ATTR_SOME_INSTRUCTIONS).
func (s *section) isCode() bool { return s.flags&(sectPureCode|sectSomeCode) != 0 }

func (f *File) readSegment(c *bin.Cursor, is64 bool) {
	h := f.h
	h.is64 = is64
	var s segment
	s.name = bin.Text(c.Bytes(16))
	s.addr, s.size = h.word(c), h.word(c)
	s.file = byteRange{h.word(c), h.word(c)}
	c.U32() // protection at most
	s.initial = c.U32()
	count := c.U32()
	c.U32()
	if c.Err() != nil {
		return
	}
	if len(f.segs) == maxSegments {
		f.note("macho: segment %s at %#x: segments after the first %d are not read", s.name, c.Offset(), maxSegments)
		return
	}
	f.segs = append(f.segs, s)
	for range count {
		if c.Len() == 0 || len(f.sects) >= maxSectionCount {
			f.note("macho: segment %s at %#x: %d sections do not fit its command", s.name, c.Offset(), count)
			return
		}
		sect := parseSection(c, &h)
		if c.Err() != nil {
			return // a failed cursor reads no more, however many there are
		}
		f.sects = append(f.sects, sect)
	}
}

// parseSection reads a section of a segment (section, section_64). A defect is in the cursor.
func parseSection(c *bin.Cursor, h *header) (s section) {
	s.name, s.segment = bin.Text(c.Bytes(16)), bin.Text(c.Bytes(16))
	s.addr, s.size = h.word(c), h.word(c)
	s.off = uint64(c.U32())
	c.Skip(4) // alignment
	s.relocs = byteRange{uint64(c.U32()), uint64(c.U32()) * relocSize}
	s.flags = c.U32()
	c.Skip(8)
	if h.is64 {
		c.Skip(4)
	}
	return s
}

func (f *File) read(what string, off, n uint64) ([]byte, error) {
	if off > uint64(f.size) || n > uint64(f.size)-off {
		// The file's own error would name offsets of the whole fat file.
		return nil, &bin.Error{What: what, Off: f.at + int64(off&(1<<62-1)), Why: fmt.Sprintf("%d bytes reach beyond the end of the file of %d", n, f.size)}
	}
	return f.src.Read(what, f.at+int64(off), n)
}

// source is a range of this slice as a file of its own, as far as it is there.
func (f *File) source(what string, p byteRange) bin.Source {
	if p.off > uint64(f.size) {
		f.note("macho: %s: offset %#x lies beyond the end of the file of %d bytes", what, p.off, f.size)
		return bin.Source{}
	}
	if left := uint64(f.size) - p.off; p.size > left {
		f.note("macho: %s at %#x: %d bytes, the file has %d", what, f.at+int64(p.off), p.size, left)
		p.size = left
	}
	return bin.NewSource(io.NewSectionReader(f.src, f.at+int64(p.off), int64(p.size)), int64(p.size))
}

// A dSYM has the headers of its program's sections, and bytes of its own only.
func (f *File) find(name string) *section {
	for i := range f.sects {
		if s := &f.sects[i]; s.name == name && f.hasBytes(s) {
			return s
		}
	}
	return nil
}

func (f *File) hasBytes(s *section) bool {
	switch s.flags & sectTypeMask {
	case sectZero, sectZeroLarge, sectZeroThread:
		return false
	}
	return s.off != 0 && s.size != 0 && (f.h.kind != typeDSYM || s.segment == "__DWARF")
}

// section returns a section's content; a missing one is empty.
func (f *File) section(name string) bin.Source {
	s := f.find(name)
	if s == nil {
		return bin.Source{}
	}
	return f.source("section "+s.segment+","+s.name, byteRange{s.off, s.size})
}

func (f *File) codeAt(rel uint64) *section {
	for i := range f.sects {
		if s := &f.sects[i]; s.isCode() && f.base+rel >= s.addr && f.base+rel-s.addr < s.size {
			return s
		}
	}
	return nil
}

// ReadImage copies the bytes at rel of segments that the program cannot write
// to. A dSYM has none, and of code that is encrypted in the file none is given.
func (f *File) ReadImage(rel uint64, p []byte) (n int) {
	if !f.hasCode() {
		return 0
	}
	return f.src.CopyParts(p, func(n uint64) (int64, uint64) {
		off, size := f.constant(f.base + rel + n)
		return f.at + int64(off), size
	})
}

// ReadLoaded implements symbolize.Image. The loader changes no code.
func (f *File) ReadLoaded(_, rel uint64, p []byte) int { return f.ReadImage(rel, p) }

// CodeParts implements symbolize.Image by the sections of code. The headers are no part of them: strip changes these.
func (f *File) CodeParts() (out []symbolize.Range) {
	if !f.hasCode() || f.encrypted.size > 0 || f.h.flags&flagInCache != 0 || f.IsObject() {
		return nil
	}
	for i := range f.sects {
		s := &f.sects[i]
		switch {
		case !s.isCode() || s.addr < f.base:
		case s.flags&sectChanges != 0:
			return nil
		default:
			out = append(out, symbolize.Range{Start: s.addr - f.base, Size: s.size})
		}
	}
	return out
}

// hasCode reports whether the file has the code of the program. A dSYM has its section headers alone.
func (f *File) hasCode() bool { return f.h.kind != typeDSYM }

// constant finds an address in the file, and how much of its segment follows.
func (f *File) constant(addr uint64) (off, size uint64) {
	for _, s := range f.segs {
		if s.initial&protWrite != 0 || addr < s.addr || addr-s.addr >= min(s.size, s.file.size) {
			continue
		}
		off, size = s.file.off+(addr-s.addr), min(s.size, s.file.size)-(addr-s.addr)
		if off < s.file.off || off >= uint64(f.size) {
			return 0, 0
		}
		size = min(size, uint64(f.size)-off)
		if e := f.encrypted; e.size > 0 && off+size > e.off && off-e.off < e.size {
			return 0, 0
		} else if e.size > 0 && off < e.off {
			size = min(size, e.off-off)
		}
		return off, size
	}
	return 0, 0
}

// code reads up to n bytes of code at rel; fewer where there are no more.
func (f *File) code(rel uint64, n int) []byte {
	buf := make([]byte, n)
	return buf[:f.ReadImage(rel, buf)]
}

// HasNames implements unwind.Rules: symbol tables name all code.
func (f *File) HasNames() bool { return true }

// HasCode implements unwind.Rules: a file that has the beginning of the image
// has its code.
func (f *File) HasCode() bool { return f.ReadImage(0, make([]byte, 1)) > 0 }
