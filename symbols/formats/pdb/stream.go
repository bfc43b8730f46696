package pdb

import (
	"encoding/binary"
	"fmt"
	"io"

	"crashglass/core/base/bin"
)

// noStream is the number that stands for no stream where 16 bits name one.
const noStream = 0xffff

// maxWhole bounds the streams that are read into memory as a whole: what
// belongs to one module, the lists of the DBI stream. The largest that we know
// of are those of programs linked as one unit, with some hundred megabytes.
const maxWhole = 512 << 20

// A stream is a sequence of blocks anywhere in the file. Offsets in its errors are relative to the
// stream.
type stream struct {
	m      *msf
	what   string
	size   int64
	blocks []uint32
}

// ReadAt makes a stream an io.ReaderAt. Blocks that follow each other in the
// file are read at once.
func (s *stream) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 || off >= s.size {
		return 0, io.EOF
	}
	want := min(int64(len(p)), s.size-off)
	for int64(n) < want {
		run := s.run(off+int64(n), want-int64(n))
		at, err := s.locate(off + int64(n))
		if err != nil {
			return n, err
		}
		got, err := s.m.src.ReadAt(p[n:int64(n)+run], at)
		n += got
		if int64(got) < run {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (s *stream) locate(off int64) (int64, error) {
	block := s.blocks[off/s.m.blockSize]
	if block >= s.m.blocks {
		return 0, fmt.Errorf("block %d, the file has %d", block, s.m.blocks)
	}
	return int64(block)*s.m.blockSize + off%s.m.blockSize, nil
}

// run is how many of the n bytes at off are contiguous in the file.
func (s *stream) run(off, n int64) int64 {
	i := off / s.m.blockSize
	have := s.m.blockSize - off%s.m.blockSize
	for have < n && s.blocks[i]+1 == s.blocks[i+1] {
		have += s.m.blockSize
		i++
	}
	return min(have, n)
}

func (s *stream) source() bin.Source { return bin.NewSource(s, s.size) }

func (s *stream) read(off int64, n uint64) ([]byte, error) {
	if n > maxWhole {
		return nil, &bin.Error{What: s.what, Off: off, Why: fmt.Sprintf("%d bytes, at most %d are read at once", n, maxWhole)}
	}
	return s.source().Read(s.what, off, n)
}

func (s *stream) cursor(off int64, n uint64) (*bin.Cursor, error) {
	data, err := s.read(off, n)
	return bin.NewCursor(s.what, off, data), err
}

func (s *stream) all() (*bin.Cursor, error) { return s.cursor(0, uint64(s.size)) }

func (s *stream) u32s(off int64, n int) ([]uint32, error) {
	data, err := s.read(off, 4*uint64(n))
	if err != nil {
		return nil, err
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return out, nil
}

// text returns the string at off, which ends with a zero byte, and how many bytes were searched for
// that. It reads at most maxText bytes.
func (s *stream) text(off int64) (text string, searched int64, err error) {
	for n := uint64(128); ; n *= 4 {
		data, err := s.source().ReadUpTo(s.what, off, min(n, maxText))
		if err != nil {
			return "", searched, err
		}
		searched = int64(len(data))
		for i, b := range data {
			if b == 0 {
				return string(data[:i]), searched, nil
			}
		}
		if uint64(len(data)) < n {
			return "", searched, &bin.Error{What: s.what, Off: off, Why: fmt.Sprintf("a string without an end within %d bytes", len(data))}
		}
	}
}

// maxText is the longest string that is read: C++ names have tens of
// kilobytes, and a symbol record cannot have more than 64.
const maxText = 64 << 10
