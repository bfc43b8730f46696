package microdump

import (
	"bytes"
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/dump/log"
)

// Begin is the first line of a microdump, behind the prefix of the log.
const Begin = "-----BEGIN BREAKPAD MICRODUMP-----"

const (
	microEnd = "-----END BREAKPAD MICRODUMP-----"

	// maxMicrodumps bounds the microdumps of one log. A person would not read reports of more.
	maxMicrodumps = 256

	// maxMicroBytes bounds the records of all of them together, as text:
	// Breakpad writes some 50 KB into each.
	maxMicroBytes = 16 << 20
)

// A logScanner sorts the lines of a log into microdumps.
type logScanner struct {
	all  []*micro
	open map[string]*micro // by writer
	left int               // of maxMicroBytes

	// A log without tags has one microdump at a time. All its lines have the prefix of its first
	// line.
	bare   *micro
	before []byte

	lost  oddLines // records of microdumps that began before the log
	extra int      // microdumps beyond maxMicrodumps
}

// scanLog fails only when the log cannot be read at all.
func scanLog(l *log.Reader) ([]*micro, error) {
	s := &logScanner{open: map[string]*micro{}, left: maxMicroBytes}
	end := int64(0)
	for {
		line, ok := l.Next()
		if !ok {
			break
		}
		s.line(line)
		end = line.End
	}
	s.finish(end, l.Err())
	if len(s.all) == 0 && l.Err() != nil {
		return nil, fmt.Errorf("microdump: %w", &bin.Error{What: "log", Off: end, Why: fmt.Sprintf("reading failed: %v", l.Err())})
	}
	return s.all, nil
}

// line gives one line to the microdump that it belongs to.
func (s *logScanner) line(line log.Line) {
	if writer, message, ok := split(line.Text); ok {
		s.tagged(line, writer, message)
		return
	}
	if i := bytes.Index(line.Text, []byte(Begin)); i >= 0 {
		s.unfinished(s.bare, line.Start)
		s.before = bytes.Clone(line.Text[:i])
		s.bare = s.begin(line, line.Text[:i])
		return
	}
	if message, ok := s.likeFirst(line.Text); ok && s.bare != nil {
		if s.bare.line(s, line, message) {
			s.bare = nil
		}
	}
}

func (s *logScanner) tagged(line log.Line, writer string, message []byte) {
	m := s.open[writer]
	switch {
	case bytes.HasPrefix(message, []byte(Begin)):
		s.unfinished(m, line.Start)
		delete(s.open, writer)
		if m = s.begin(line, line.Text[:len(line.Text)-len(message)]); m != nil {
			s.open[writer] = m
		}
	case m != nil:
		if m.line(s, line, message) {
			delete(s.open, writer)
		}
	case isRecord(message) && s.extra == 0:
		s.lost.add(line, message)
	}
}

// likeFirst finds the message in a line without a tag: its prefix is as long as that of the first
// line, and ends in the same way.
func (s *logScanner) likeFirst(line []byte) ([]byte, bool) {
	n := len(s.before)
	if len(line) < n || n > 0 && line[n-1] != s.before[n-1] {
		return nil, false
	}
	message := bytes.TrimSuffix(line[n:], []byte("  ("+breakpadTag+")")) // logcat -v process
	return message, isRecord(message) || bytes.HasPrefix(message, []byte(microEnd))
}

// begin starts a microdump, or returns nil when there are too many.
func (s *logScanner) begin(line log.Line, before []byte) *micro {
	if len(s.all) >= maxMicrodumps {
		s.extra++
		return nil
	}
	m := &micro{stackAt: -1}
	m.Offset, m.Size = line.Start, line.End-line.Start
	m.Logged = logged(before)
	s.all = append(s.all, m)
	return m
}

// logged returns the prefix of a message, without separators.
func logged(before []byte) string {
	return strings.ToValidUTF8(brief(strings.TrimRight(string(before), ": ")), "\ufffd")
}

// unfinished records that the current microdump, if there is one, has no end.
func (s *logScanner) unfinished(m *micro, at int64) {
	if m != nil {
		m.note(at, "another microdump begins before this one has ended")
	}
}

// finish closes the microdumps without an end.
func (s *logScanner) finish(end int64, err error) {
	cut := "the log ends before this microdump does"
	if err != nil {
		cut = fmt.Sprintf("reading failed: %v", err)
	}
	for _, m := range s.open {
		m.note(end, "%s", cut)
	}
	if s.bare != nil {
		s.bare.note(end, "%s", cut)
	}
	if len(s.all) == 0 {
		return
	}
	first, last := s.all[0], s.all[len(s.all)-1]
	if s.lost.count > 0 {
		first.note(s.lost.at, "%d lines belong to a microdump whose beginning is not in the log", s.lost.count)
	}
	if s.extra > 0 {
		last.note(last.Offset, "%d more microdumps are left out", s.extra)
	}
}

// line takes one line of a microdump, and reports whether that was the last.
func (m *micro) line(s *logScanner, line log.Line, message []byte) (done bool) {
	if bytes.HasPrefix(message, []byte(microEnd)) {
		m.Size = line.End - m.Offset
		return true
	}
	if !isRecord(message) { // another message of the process, or a record of a newer writer
		m.unknown.add(line, message)
		return false
	}
	m.Size = line.End - m.Offset
	if line.Truncated {
		m.note(line.Start, "a line is longer than %d bytes; the rest of it is left out", log.MaxLine)
	}
	if s.spend(m, line) {
		text := strings.ToValidUTF8(strings.TrimSpace(string(message[1:])), "\ufffd")
		records[message[0]](m, line.Start, text)
	}
	return false
}

// lineCost is added to the length of each line, because a module costs more than its text.
const lineCost = 128

// spend takes a line's bytes from the limit, and reports whether it had as many.
func (s *logScanner) spend(m *micro, line log.Line) bool {
	cost := len(line.Text) + lineCost
	if s.left >= 0 && s.left < cost {
		m.note(line.Start, "the microdumps of this log have more than %d bytes; the rest is left out", maxMicroBytes)
		s.left = -1
	}
	if s.left < cost {
		return false
	}
	s.left -= cost
	return true
}

func isRecord(message []byte) bool {
	return len(message) > 0 && records[message[0]] != nil && (len(message) == 1 || message[1] == ' ')
}
