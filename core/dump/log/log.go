// Package log reads text files line by line: logs, which may be large, and reports in them.
//
// It reads ASCII, UTF-8 and UTF-16, of which it keeps what is ASCII. Lines may be of any length: only
// the first 64 KiB are returned. It is no reader of the files' meaning: packages microdump and text are.
package log

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"crashglass/core/base/bin"
)

// MaxLine bounds the bytes of a line that are read.
const MaxLine = 64 << 10

// An Encoding is the encoding of a log. PowerShell writes UTF-16 when it redirects the output of
// adb.
type Encoding struct {
	width, low int // bytes of a character, and the index of the relevant one
	skip       int // byte order mark
}

// Sniff reports whether a file can be a log: text has no NUL. A file that begins like a minidump
// is a damaged minidump, even if there is a log in its memory.
func Sniff(src bin.Source) (Encoding, bool) {
	enc := Encoding{width: 1}
	head, err := src.Read("log", 0, uint64(min(src.Size(), 4096)))
	switch {
	case err != nil || len(head) == 0 || bytes.HasPrefix(head, []byte("MDMP")) || bytes.HasPrefix(head, []byte("PMDM")):
		return enc, false
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return Encoding{2, 0, 2}, true
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return Encoding{2, 1, 2}, true
	case len(head) >= 8 && head[1] == 0 && head[3] == 0 && head[5] == 0 && head[0] != 0:
		return Encoding{2, 0, 0}, true
	case len(head) >= 8 && head[0] == 0 && head[2] == 0 && head[4] == 0 && head[1] != 0:
		return Encoding{2, 1, 0}, true
	}
	return enc, bytes.IndexByte(head, 0) < 0
}

// Width is the number of bytes of a character.
func (e Encoding) Width() int64 { return int64(max(e.width, 1)) }

// Plain returns text of a log as ASCII: the relevant byte of each character.
func (e Encoding) Plain(data []byte) []byte {
	if e.width < 2 {
		return data
	}
	out := make([]byte, len(data)/e.width)
	for i := range out {
		if out[i] = '?'; data[i*e.width+1-e.low] == 0 {
			out[i] = data[i*e.width+e.low]
		}
	}
	return out
}

// A Reader reads a log line by line.
type Reader struct {
	r   *bufio.Reader
	enc Encoding
	end int64 // characters before the next line
	err error // the error that ended the log early, if any
}

// Err is the error that ended the log early, nil if there was none.
func (l *Reader) Err() error { return l.err }

// NewReader reads a log from its beginning.
func NewReader(src bin.Source, enc Encoding) *Reader {
	skip := int64(enc.skip)
	var r io.Reader = io.NewSectionReader(src, skip, max(src.Size()-skip, 0))
	if enc.width > 1 {
		r = &narrowReader{r: r, low: enc.low}
	}
	return &Reader{r: bufio.NewReaderSize(r, int(min(src.Size()+1, MaxLine))), enc: enc}
}

// A Line is a line without its end; its text is valid until the next one
// is read. Long lines are truncated.
type Line struct {
	Text       []byte
	Start, End int64 // offsets in the file; the end of line counts
	Truncated  bool
}

// Next returns the next line. It reports false at the end of the file, or where reading fails, see [Reader.Err].
func (l *Reader) Next() (Line, bool) {
	start := l.end
	text, err := l.r.ReadSlice('\n')
	l.end += int64(len(text))
	cut := errors.Is(err, bufio.ErrBufferFull)
	if cut {
		text = bytes.Clone(text) // the next bytes overwrite it
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		var more []byte
		more, err = l.r.ReadSlice('\n')
		l.end += int64(len(more))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	if l.end == start {
		return Line{}, false
	}
	for len(text) > 0 && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r') { // adb on Windows ends lines with \r\r\n
		text = text[:len(text)-1]
	}
	return Line{text, l.offset(start), l.offset(l.end), cut}, true
}

func (l *Reader) offset(char int64) int64 {
	return int64(l.enc.skip) + char*int64(l.enc.width)
}

// A narrowReader converts UTF-16 to bytes. All relevant characters are ASCII. Others become a
// question mark, and half a unit at the end is dropped.
type narrowReader struct {
	r    io.Reader
	low  int // index of the low byte of a unit
	wide []byte
	half int // bytes of a unit that are read already: 0 or 1
}

func (n *narrowReader) Read(p []byte) (int, error) {
	if need := 2 * len(p); len(n.wide) < need {
		n.wide = append(n.wide, make([]byte, need-len(n.wide))...)
	}
	got, err := n.r.Read(n.wide[n.half : 2*len(p)])
	got += n.half
	for i := 0; i+1 < got; i += 2 {
		p[i/2] = '?'
		if n.wide[i+1-n.low] == 0 {
			p[i/2] = n.wide[i+n.low]
		}
	}
	if n.half = got % 2; n.half == 1 {
		n.wide[0] = n.wide[got-1]
	}
	return got / 2, err
}
