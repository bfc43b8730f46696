package elf

import (
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/symbols/archives/decompress"
)

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

// compressedGNU reads a .zdebug section: "ZLIB", eight bytes of size in big
// endian whatever the machine, and the stream.
func (f *File) compressedGNU(s *section) bin.Source {
	raw := f.raw(s)
	head, err := raw.Read("elf: section "+s.name, 0, 12)
	if err != nil || string(head[:4]) != "ZLIB" {
		f.note("elf: section %s at %#x: does not begin with ZLIB", s.name, s.off)
		return bin.Source{}
	}
	var size uint64
	for _, b := range head[4:] {
		size = size<<8 | uint64(b)
	}
	return f.unpack(s, raw, 12, compressZlib, size)
}

// unpack returns the decompressed stream of a section.
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
