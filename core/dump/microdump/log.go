package microdump

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"crashglass/core/base/bin"
)

// maxLogLine bounds the bytes of a line that are read. Breakpad's lines have at most 2047 bytes,
// behind the prefix of the log.
const maxLogLine = 64 << 10

// A logEncoding is the encoding of a log. PowerShell writes UTF-16 when it redirects the output of
// adb.
type logEncoding struct {
	width, low int // bytes of a character, and the index of the relevant one
	skip       int // byte order mark
}

// sniffLog reports whether a file can be a log: text has no NUL. A file that begins like a minidump
// is a damaged minidump, even if there is a log in its memory.
func sniffLog(src bin.Source) (logEncoding, bool) {
	enc := logEncoding{width: 1}
	head, err := src.Read("log", 0, uint64(min(src.Size(), 4096)))
	switch {
	case err != nil || len(head) == 0 || bytes.HasPrefix(head, []byte("MDMP")) || bytes.HasPrefix(head, []byte("PMDM")):
		return enc, false
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return logEncoding{2, 0, 2}, true
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return logEncoding{2, 1, 2}, true
	case len(head) >= 8 && head[1] == 0 && head[3] == 0 && head[5] == 0 && head[0] != 0:
		return logEncoding{2, 0, 0}, true
	case len(head) >= 8 && head[0] == 0 && head[2] == 0 && head[4] == 0 && head[1] != 0:
		return logEncoding{2, 1, 0}, true
	}
	return enc, bytes.IndexByte(head, 0) < 0
}

// A logReader reads a log line by line.
type logReader struct {
	r   *bufio.Reader
	enc logEncoding
	end int64 // characters before the next line
	err error // the error that ended the log early, if any
}

func newLogReader(src bin.Source, enc logEncoding) *logReader {
	skip := int64(enc.skip)
	var r io.Reader = io.NewSectionReader(src, skip, max(src.Size()-skip, 0))
	if enc.width > 1 {
		r = &narrowReader{r: r, low: enc.low}
	}
	return &logReader{r: bufio.NewReaderSize(r, maxLogLine), enc: enc}
}

// A logLine is a line without its end; its text is valid until the next one
// is read. Long lines are cut.
type logLine struct {
	text       []byte
	start, end int64 // offsets in the file; the end of line counts
	cut        bool
}

// next returns the next line.
func (l *logReader) next() (logLine, bool) {
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
		return logLine{}, false
	}
	// adb on Windows ends lines with \r\r\n.
	return logLine{bytes.TrimRight(text, "\r\n"), l.offset(start), l.offset(l.end), cut}, true
}

func (l *logReader) offset(char int64) int64 {
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

// breakpadTag is the tag of a microdump's writer in Android's log.
const breakpadTag = "google-breakpad"

// split finds the message in a log line with Breakpad's tag, and the process that wrote it: two
// processes may write at once.
//
//	F/google-breakpad( 3745): message                                brief, and with the time before it: time
//	02-23 15:49:14.700  1740  1739 F google-breakpad: message        threadtime
//	F/google-breakpad: message                                       tag
//
// Source: logcat(1), "Control the log output format".
func split(line []byte) (writer string, message []byte, ok bool) {
	i := bytes.Index(line, []byte(breakpadTag))
	if i < 0 {
		return "", nil, false
	}
	before, rest := line[:i], line[i+len(breakpadTag):]
	if bytes.HasPrefix(rest, []byte("(")) {
		pid, after, closed := bytes.Cut(rest[1:], []byte(")"))
		if !closed {
			return "", nil, false
		}
		writer, rest = string(bytes.TrimSpace(pid)), after
	} else {
		writer = numbers(before)
	}
	message, ok = bytes.CutPrefix(rest, []byte(":"))
	return writer, bytes.TrimPrefix(message, []byte(" ")), ok
}

// numbers returns the words at a line's beginning that are numbers: process and thread, but not the
// time.
func numbers(before []byte) string {
	var out []byte
	for _, word := range bytes.Fields(before) {
		if len(bytes.Trim(word, "0123456789")) == 0 {
			out = append(append(out, word...), ' ')
		}
	}
	return string(out)
}
