package decompress

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"crashglass/core/base/bin"
)

// Zlib reads RFC 1950.
func Zlib(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }

// Limits of the decompressed sections of a file. Debug information rarely compresses to less than a
// tenth.
const (
	// MaxSection bounds one section. The debug information of a whole browser
	// is 4 GB, and no section of it has more than half. A section of 2 GB would
	// not fit the memory of a page.
	MaxSection = 1 << 30

	// mostInflated is how much deflate can make of a byte.
	mostInflated = 1032

	freeBytes    = 64 << 20
	bytesPerByte = 64
)

// Sections are the compressed sections of a file, which share a budget.
type Sections struct {
	most   int64 // bytes of all sections together
	budget *bin.Budget
	note   func(format string, args ...any)

	mu     sync.Mutex
	opened map[string]bin.Source
}

// NewSections makes room for the sections of a file of a size. Refused or damaged sections are
// reported to note.
func NewSections(size int64, note func(format string, args ...any)) *Sections {
	most := freeBytes + bytesPerByte*min(max(size, 0), 1<<40)
	return &Sections{most: most, budget: bin.NewBudget(most), note: note, opened: map[string]bin.Source{}}
}

// Open returns the decompressed stream in raw from an offset on, as far as it can be read. size is
// the size in the file. The stream is decompressed completely on the first read, once for all
// readers. what names the section, also in notes.
func (s *Sections) Open(what string, raw bin.Source, from int64, size uint64, open Decompressor) bin.Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	src, ok := s.opened[what]
	if !ok {
		src = s.open(what, raw, from, size, open)
		s.opened[what] = src
	}
	return src
}

// OpenGNU opens a section named .zdebug: "ZLIB", eight bytes of size in big endian whatever the machine, and the stream.
func (s *Sections) OpenGNU(what string, raw bin.Source) bin.Source {
	head, err := raw.Read(what, 0, 12)
	if err != nil || string(head[:4]) != "ZLIB" {
		s.note("%s: does not begin with ZLIB", what)
		return bin.Source{}
	}
	return s.Open(what, raw, 12, binary.BigEndian.Uint64(head[4:]), Zlib)
}

func (s *Sections) open(what string, raw bin.Source, from int64, size uint64, open Decompressor) bin.Source {
	packed := uint64(raw.Size())
	if most := min(mostInflated*packed, uint64(s.most), MaxSection); size > most {
		s.note("%s: %d bytes cannot be what %d were compressed from, which are at most %d: they are left out", what, size, packed, most)
		return bin.Source{}
	}
	u := &unpacked{}
	u.unpack = sync.OnceValues(func() ([]byte, error) {
		if !s.budget.Spend(int64(size)) {
			err := fmt.Errorf("%s: the compressed sections of the file have more than %d bytes together", what, s.most)
			s.note("%v", err)
			return nil, err
		}
		data, err := inflate(io.NewSectionReader(raw, from, raw.Size()-from), open, int64(size))
		if err != nil {
			err = fmt.Errorf("%s: decompressing failed after %d of %d bytes: %w", what, len(data), size, err)
			s.note("%v", err)
		}
		return data, err
	})
	return bin.NewSource(u, int64(size))
}

// unpacked is a section that is decompressed completely on the first read.
type unpacked struct {
	unpack func() ([]byte, error)
}

// ReadAt implements io.ReaderAt.
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

// Memory grows with the output, independent of the stated size.
func inflate(in *io.SectionReader, open Decompressor, size int64) ([]byte, error) {
	r, err := open(in)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	// A stream rarely compresses to less than an eighth.
	out.Grow(int(min(size, 8*in.Size())) + bytes.MinRead)
	n, err := io.Copy(&out, io.LimitReader(r, size))
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	return out.Bytes(), err
}
