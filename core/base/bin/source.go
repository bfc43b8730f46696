package bin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A Source is a file of known size that is read in pieces, on demand. The zero Source is an empty
// file.
type Source struct {
	r    io.ReaderAt
	size int64
}

// NewSource wraps a file of size bytes. A negative size counts as zero.
func NewSource(r io.ReaderAt, size int64) Source {
	return Source{r: r, size: max(size, 0)}
}

// Size is the file's size in bytes.
func (s Source) Size() int64 { return s.size }

// CopyParts fills p with parts of the file, and returns how much there was. part returns the place and
// the size of the part behind the first n bytes, 0 for none.
func (s Source) CopyParts(p []byte, part func(n uint64) (off int64, size uint64)) (n int) {
	for n < len(p) {
		off, size := part(uint64(n))
		if size == 0 {
			break
		}
		want := p[n : n+int(min(size, uint64(len(p)-n)))]
		got, _ := s.ReadAt(want, off)
		n += max(got, 0)
		if got < len(want) {
			break
		}
	}
	return n
}

// Text is text up to the first zero byte.
func Text(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}

// Has reports whether the file has n bytes at off.
func (s Source) Has(off int64, n uint64) bool {
	return off >= 0 && off <= s.size && n <= uint64(s.size-off)
}

// Read returns the n bytes at off. The range is checked against the size of
// the file before anything is allocated, so a length out of the input may be
// passed as it is. What names the range in the error, an *Error.
func (s Source) Read(what string, off int64, n uint64) ([]byte, error) {
	if !s.Has(off, n) {
		return nil, &Error{What: what, Off: off, Why: fmt.Sprintf("%d bytes reach beyond the end of the file at %#x", n, s.size), Beyond: true}
	}
	data := make([]byte, n)
	if err := s.Fill(what, off, data); err != nil {
		return nil, err
	}
	return data, nil
}

// Fill is Read into memory of the caller: it fills data with the bytes at off.
func (s Source) Fill(what string, off int64, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	// ReadAt may return io.EOF together with a full buffer.
	got, err := s.ReadAt(data, off)
	if got == len(data) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &Error{What: what, Off: off + int64(got), Why: fmt.Sprintf("reading failed: %v", err), Cause: err}
}

// ReadUpTo is Read for a range that may reach beyond the end of the file. It returns the bytes up
// to there.
func (s Source) ReadUpTo(what string, off int64, n uint64) ([]byte, error) {
	if off < 0 || off >= s.size {
		return nil, &Error{What: what, Off: off, Why: fmt.Sprintf("lies beyond the end of the file at %#x", s.size), Beyond: true}
	}
	return s.Read(what, off, min(n, uint64(s.size-off)))
}

// ReadAt makes a Source an io.ReaderAt of its file.
func (s Source) ReadAt(p []byte, off int64) (int, error) {
	if s.r == nil || off >= s.size {
		return 0, io.EOF
	}
	return s.r.ReadAt(p, off)
}
