package elf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"sync"

	"crashglass/core/bin"
	"crashglass/symbols/decompress"
)

// maxUncompressed bounds what one section may become. The debug information
// of a whole browser is 4 GB, of which no section is more than half; but that
// would not fit the memory of a page.
const maxUncompressed = 1 << 30

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

// unpack returns what a stream in a section holds.
func (f *File) unpack(s *section, raw bin.Source, from int64, kind uint32, size uint64) bin.Source {
	if size > maxUncompressed {
		f.note("elf: section %s at %#x: %d bytes when decompressed, more than the %d that are allowed", s.name, s.off, size, maxUncompressed)
		return bin.Source{}
	}
	var open decompress.Decompressor
	switch kind {
	case compressZlib:
		open = func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }
	case compressZstd:
		open = decompress.Zstd
	default:
		f.note("elf: section %s at %#x: compression %d is neither zlib nor zstd", s.name, s.off, kind)
		return bin.Source{}
	}
	u := &unpacked{size: int64(size)}
	u.unpack = sync.OnceValues(func() ([]byte, error) {
		in := io.NewSectionReader(raw, from, raw.Size()-from)
		data, err := inflate(in, open, int64(size))
		if err != nil {
			err = fmt.Errorf("elf: section %s at %#x: decompressing failed after %d of %d bytes: %w", s.name, s.off, len(data), size, err)
			f.note("%v", err)
		}
		return data, err
	})
	return bin.NewSource(u, int64(size))
}

// unpacked is a section that is decompressed, whole, when it is first read.
type unpacked struct {
	size   int64
	unpack func() ([]byte, error)
}

func (u *unpacked) ReadAt(p []byte, off int64) (int, error) {
	data, err := u.unpack()
	if off < 0 || off >= int64(len(data)) {
		if err == nil {
			err = io.EOF
		}
		return 0, err
	}
	n := copy(p, data[off:])
	if n < len(p) && err == nil {
		err = io.EOF
	}
	return n, err
}

// inflate decompresses up to size bytes. What is allocated grows with what
// comes out, whatever the size says.
func inflate(in *io.SectionReader, open decompress.Decompressor, size int64) ([]byte, error) {
	r, err := open(in)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	// A stream is seldom more than eight times smaller than what it holds.
	out.Grow(int(min(size, 8*in.Size())) + bytes.MinRead)
	n, err := io.Copy(&out, io.LimitReader(r, size))
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	return out.Bytes(), err
}
