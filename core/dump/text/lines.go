package text

import (
	"bytes"

	"crashglass/core/base/bin"
	"crashglass/core/dump/log"
)

// A Line is a line of a file without its end.
type Line struct {
	Text       []byte
	Number     int   // of the first line: 1
	Start, End int64 // offsets in the file; the end of line counts
	unpacked   bool  // it was in one line with others
}

// Lines are the lines of a report, from its first one on, without the prefix of a log.
type Lines struct {
	s          *scanner
	first      Line
	text       string // of the first line
	prefix     prefix
	start, end int64

	taken   []Line // the first lines that were read, besides the very first
	lines   int    // that were read
	back    []Line // that are in no report: the one that ended it
	foreign []Line // of other writers of the log
	parts   []part // what the report is
	begun   bool
	last    Line
	done    bool
}

// Next returns the next line of the report, or false at the end of the file. The text is that behind
// the log's prefix.
func (l *Lines) Next() (string, bool) {
	if !l.begun {
		l.begun, l.last = true, l.first
		l.last.Text = []byte(l.text) // it may be read again, when the scanner looks at another line
		l.own(l.first)
		l.s.markup.context(l.text)
		return l.text[len(l.prefix.text):], true
	}
	for !l.done && l.lines < maxLines {
		line, ok := l.read()
		if !ok {
			break
		}
		message, own := l.prefix.cut(line.Text)
		if !own {
			l.foreign = append(l.foreign, line)
			l.done = len(l.foreign) > maxForeign
			continue
		}
		l.last, l.end = line, max(l.end, line.End)
		l.own(line)
		if bytes.HasPrefix(bytes.TrimLeft(message, " \t"), []byte("{{{")) && l.s.markup.context(string(message)) {
			continue // for all reports that follow
		}
		return string(bytes.TrimRight(message, " \t")), true
	}
	l.done = true
	return "", false
}

// read returns the line that was put back last, or the next one of the log.
func (l *Lines) read() (Line, bool) {
	if n := len(l.back); n > 0 {
		line := l.back[n-1]
		l.back = l.back[:n-1]
		return line, true
	}
	line, ok := l.s.next()
	for ok && l.s.unpack(line) {
		line, ok = l.s.next()
	}
	if !ok {
		return Line{}, false
	}
	line.Text = bytes.Clone(line.Text)
	if l.lines++; l.lines <= maxTaken {
		l.taken = append(l.taken, line)
	}
	return line, true
}

// maxForeign is how many lines of other writers may stand between two lines of a report.
const maxForeign = 1 << 12

// Back returns the line that was read last, which is not part of the report or is read once more.
func (l *Lines) Back() {
	if l.begun && !l.done {
		l.back, l.end = append(l.back, l.last), min(l.end, l.last.Start)
		l.disown()
	}
}

// Peek returns the next line without reading it.
func (l *Lines) Peek() (string, bool) {
	text, ok := l.Next()
	if ok {
		l.Back()
	}
	return text, ok
}

// Ahead reports whether one of the next n lines is accepted. All of them are read again.
func (l *Lines) Ahead(n int, accept func(line string) bool) (found bool) {
	last, end, done := l.last, l.end, l.done
	var ahead []Line
	for len(ahead) < n && !found {
		text, ok := l.Next()
		if !ok {
			break
		}
		ahead = append(ahead, l.last)
		found = accept(text)
	}
	l.done = done
	for i := len(ahead) - 1; i >= 0; i-- {
		l.last = ahead[i]
		l.Back()
	}
	l.last, l.end = last, end
	return found
}

// Before returns up to n lines before the report, the nearest first, with their prefixes.
func (l *Lines) Before(n int) (out []string) {
	for i := l.s.passed - 1; i >= max(l.s.passed-min(n, maxPast), 0); i-- {
		out = append(out, string(l.s.past[i%maxPast].message()))
	}
	return out
}

// FindBefore returns the index among up to n lines before the report, as [Lines.Before] has them, of the first one that is accepted; -1 for none.
func (l *Lines) FindBefore(n int, accept func(line []byte) bool) int {
	for i := range min(n, maxPast, l.s.passed) {
		if accept(l.s.past[(l.s.passed-1-i)%maxPast].message()) {
			return i
		}
	}
	return -1
}

// Keep takes the line that [Lines.Before] returns at an index for one of the report.
func (l *Lines) Keep(i int) {
	line := l.s.past[(l.s.passed-1-i)%maxPast]
	at := 0
	for at < len(l.parts) && l.parts[at].from < line.Start {
		at++
	}
	l.parts = append(l.parts[:at:at], append([]part{{line.Start, line.End}}, l.parts[at:]...)...)
}

// First returns the first line as it is, for families whose mark is not the beginning of the message.
// Such a family sets the prefix by Begin.
func (l *Lines) First() string { return l.text }

// Mark is the column of the mark in the first line, until Begin is called.
func (l *Lines) Mark() int { return len(l.prefix.text) }

// Begin says at which column of the first line the message begins. It is called before the second line
// is read.
func (l *Lines) Begin(column int) { l.prefix.text = l.first.Text[:min(column, len(l.first.Text))] }

// Number is the number of the line that was read last.
func (l *Lines) Number() int { return l.last.Number }

// Offset is the offset of the line that was read last.
func (l *Lines) Offset() int64 { return l.last.Start }

// Rest returns the text of the file from the first line on, up to a limit in bytes of the file, for reports that are one
// value. It fails where the reports of the file have read more than [maxRest] beyond the file's size in this way.
func (l *Lines) Rest(limit int64) ([]byte, error) {
	size := max(min(limit, l.s.src.Size()-l.start), 0)
	if l.s.rest += size; l.s.rest > l.s.src.Size()+maxRest {
		return nil, l.Fault("report", "too many lines before it begin one, too")
	}
	data, err := l.s.src.Read("report", l.start, uint64(size))
	return l.s.encoding.Plain(data), err
}

// SkipRest ends the report behind the first n bytes that [Lines.Rest] has returned.
func (l *Lines) SkipRest(n int64) { l.Skip(l.start + n*l.s.encoding.Width()) }

const maxRest = 128 << 20

// MaxLine bounds the text of a line. [Lines.Raw] has the rest of a longer one.
const MaxLine = log.MaxLine

// Raw returns the text of the file from the first line to the one that was read last, up to a limit.
func (l *Lines) Raw(limit int64) ([]byte, error) {
	data, err := l.s.src.Read("report", l.start, uint64(max(min(limit, l.last.End-l.start), 0)))
	return l.s.encoding.Plain(data), err
}

// Skip ends the report at an offset of the file. Lines before it are not read again.
func (l *Lines) Skip(end int64) {
	for l.last.End < end {
		line, ok := l.s.next()
		if !ok {
			break
		}
		l.last = line
		l.own(line)
	}
	l.end = max(l.end, end)
}

// Fault is an error at the line that was read last.
func (l *Lines) Fault(what, why string) error {
	return &bin.Error{What: what, Off: l.last.Start, Why: why}
}

// plain returns a line without the escape sequences of a terminal's colours. ECMA-48, 5.4: CSI,
// parameters, intermediate bytes, and a final byte.
func plain(line []byte) []byte {
	if bytes.IndexByte(line, 0x1b) < 0 {
		return line
	}
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		if line[i] != 0x1b {
			out = append(out, line[i])
			continue
		}
		if i+1 < len(line) && line[i+1] == '[' {
			for i += 2; i < len(line) && line[i] < 0x40; i++ {
			}
		}
	}
	return out
}
