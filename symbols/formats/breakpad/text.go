package breakpad

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"crashglass/core/base/bin"
)

// maxLine is how long a line may be, in units of its encoding. Symbols of generated C++ and Rust
// code reach 80 KiB (seen by rust-minidump); a longer line is damage, not a record.
const maxLine = 1 << 20

// A text is a symbol file as a sequence of units: bytes, or the two-byte units of UTF-16, which a
// Windows shell writes when output is redirected. Offsets here count units after the byte order
// mark, so that the scan may squeeze each unit of UTF-16 into a byte: everything it looks at is
// ASCII.
type text struct {
	src  bin.Source
	base int64 // length of the byte order mark
	unit int64 // 1 or 2 bytes
	big  bool  // the high byte comes first
}

// newText detects the encoding of a file.
func newText(src bin.Source) (text, error) {
	t := text{src: src, unit: 1}
	if src.Size() == 0 {
		return t, nil
	}
	head, err := src.ReadUpTo("start of the file", 0, 64)
	if err != nil {
		return t, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		t.base = 3
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		t.base, t.unit = 2, 2
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		t.base, t.unit, t.big = 2, 2, true
	case everyOther(head, 1):
		t.unit = 2
	case everyOther(head, 0):
		t.unit, t.big = 2, true
	}
	return t, nil
}

// everyOther reports whether, beginning with index i, every second byte is
// zero and all others are not, which makes the text UTF-16 without a mark.
func everyOther(head []byte, i int) bool {
	if len(head) < 8 {
		return false
	}
	for k, c := range head[:len(head)&^1] {
		if (c == 0) != (k%2 == i) {
			return false
		}
	}
	return true
}

// size is the length of the text in units.
func (t text) size() int64 { return (t.src.Size() - t.base) / t.unit }

func (t text) offset(at int64) int64 { return t.base + at*t.unit }

// read fills p with the bytes of the units from at on; len(p) must be a
// multiple of the size of a unit.
func (t text) read(p []byte, at int64) error { return t.src.Fill("symbol file", t.offset(at), p) }

// squeeze fills p with one byte for each unit from at on. Units outside of ASCII become a byte that
// begins no record and is in no number. scratch, of any even length above zero, is overwritten.
func (t text) squeeze(p []byte, at int64, scratch []byte) error {
	if t.unit == 1 {
		return t.read(p, at)
	}
	for len(p) > 0 {
		raw := scratch[:min(len(scratch), 2*len(p))]
		if err := t.read(raw, at); err != nil {
			return err
		}
		for i := 0; i < len(raw); i += 2 {
			c := byte(0xff)
			if u := t.unit16(raw[i:]); u < 0x80 {
				c = byte(u)
			}
			p[i/2] = c
		}
		p, at = p[len(raw)/2:], at+int64(len(raw)/2)
	}
	return nil
}

func (t text) unit16(b []byte) uint16 {
	if t.big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// decode turns the raw bytes of a line into UTF-8.
func (t text) decode(raw []byte) []byte {
	if t.unit == 1 {
		return raw
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, t.unit16(raw[i:]))
	}
	var out []byte
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// endOfLine returns the length of the line at the start of raw, or -1 when raw
// does not contain its end.
func (t text) endOfLine(raw []byte) int {
	if t.unit == 1 {
		return bytes.IndexByte(raw, '\n')
	}
	for i := 0; i+1 < len(raw); i += 2 {
		if t.unit16(raw[i:]) == '\n' {
			return i
		}
	}
	return -1
}

// Reading on demand begins with a small read, because most records are short, and continues with
// pages of the size in which a browser reads a File.
const (
	firstRead = 512
	mostRead  = 64 << 10
)

// lineReader skips lines longer than maxLine, as the scan does.
type lineReader struct {
	t    text
	room []byte // memory for buf
	buf  []byte // raw bytes that are read and not yet returned
	at   int64  // unit offset of buf[0]
	end  int64  // where to stop
	size int    // bytes of the next read
	err  error
}

// linesFrom reads the lines that begin at the unit at, and at most limit units.
func (t text) linesFrom(at, limit int64) *lineReader {
	return &lineReader{t: t, at: at, end: at + min(limit, t.size()-at), size: firstRead}
}

// next returns the next line, as UTF-8 and without its end, and its unit
// offset. The line is valid until the next call. It reports false at the end
// and on an error. A line that the end cuts is left out, unless the text ends there, too.
func (r *lineReader) next() (line []byte, at int64, ok bool) {
	for r.err == nil {
		n := r.t.endOfLine(r.buf)
		switch {
		case n >= 0:
			line, at = r.buf[:n], r.at
			r.drop(n + int(r.t.unit))
		case r.unread() == 0 && len(r.buf) > 0 && r.end == r.t.size(): // elsewhere it is half a record
			line, at = r.buf, r.at
			r.drop(len(r.buf))
		case r.unread() == 0:
			return nil, 0, false
		case int64(len(r.buf)) > maxLine*r.t.unit:
			r.skipLine()
			continue
		default:
			r.fill()
			continue
		}
		if int64(len(line)) <= maxLine*r.t.unit {
			return trimCR(r.t.decode(line)), at, true
		}
	}
	return nil, 0, false
}

// unread is the number of units that are not in the buffer yet.
func (r *lineReader) unread() int64 { return r.end - r.at - int64(len(r.buf))/r.t.unit }

func (r *lineReader) drop(n int) {
	r.buf = r.buf[n:]
	r.at += int64(n) / r.t.unit
}

func (r *lineReader) fill() {
	n := min(int64(r.size), r.unread()*r.t.unit)
	r.size = min(4*r.size, mostRead)
	more := r.room
	if len(r.buf)+int(n) > cap(more) {
		more = make([]byte, len(r.buf)+int(n))
	}
	more = more[:len(r.buf)+int(n)]
	copy(more, r.buf)
	r.err = r.t.read(more[len(r.buf):], r.at+int64(len(r.buf))/r.t.unit)
	r.buf, r.room = more, more
}

func (r *lineReader) skipLine() {
	for r.err == nil {
		r.drop(len(r.buf))
		if r.unread() == 0 {
			return
		}
		r.fill()
		if n := r.t.endOfLine(r.buf); n >= 0 {
			r.drop(n + int(r.t.unit))
			return
		}
	}
}
