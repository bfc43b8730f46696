// Package text finds crash reports that are text in files of any length, and has what their readers
// share: lines without the prefixes of log collectors, and a draft of a process without memory.
//
// A kind of report is a [Family] in a package of its own. [OpenAll] reads a file once, line by line. At
// a line that has one of the marks of a family, the family reads the report from there and fills a
// [process.Process] for each: with the frames that it states, and what went wrong as a [process.Event] or
// [process.Problem]. Logs lose, wrap and mix lines: a family leaves out what it cannot read, and
// the rest becomes a report. What is read is bounded by [maxLines], [maxReports] and [maxAgain].
//
// The package knows no kind of report. Read this file first, then marks.go, which searches for marks,
// lines.go, prefix.go, and draft.go, which is the way from frames of text to a process. truncated.go has the last line of a
// truncated file. wrap.go reads small files again without the line breaks of mail programs.
package text

import (
	"io"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/dump/log"
	"crashglass/core/process"
)

// A Family reads reports of one kind.
type Family struct {
	Kinds []string // as [process.Origin] has them
	Marks []string // a report begins with a line that contains one of them; each has at least three bytes

	// Read reads the reports that begin with the next line. It returns none if that line begins no
	// report.
	Read func(*Lines) []*process.Process
}

const (
	maxReports = 1024    // of one file
	maxLines   = 1 << 17 // of one report
	maxTaken   = 1 << 9  // lines that are read again if a family finds no report
	maxAgain   = 1 << 16 // lines of one file that are read again, because they were in no report, or mixed with one
)

// Kinds lists the kinds of all families.
func Kinds(families []Family) (all []string) {
	for _, f := range families {
		all = append(all, f.Kinds...)
	}
	return all
}

// OpenAll opens the reports of a file. It reports false for a file that cannot be a log, and for one
// without reports.
func OpenAll(families []Family) func(src bin.Source) ([]*process.Process, bool, error) {
	marks := newMarks(families)
	return func(src bin.Source) ([]*process.Process, bool, error) {
		encoding, isLog := log.Sniff(src)
		if !isLog {
			return nil, false, nil
		}
		s := &scanner{src: src, encoding: encoding, log: log.NewReader(src, encoding), families: families, marks: marks}
		all := scanWrapped(s, encoding, s.scan(maxReports))
		return all, len(all) > 0, s.log.Err()
	}
}

// First returns the kind of the first report of a file, "" if there is none. It stops without a result if
// progress, which may be nil, returns an error.
func First(families []Family) func(src bin.Source, progress func(done int64) error) string {
	marks := newMarks(families)
	return func(src bin.Source, progress func(done int64) error) string {
		encoding, isLog := log.Sniff(src)
		if !isLog {
			return ""
		}
		s := &scanner{src: src, encoding: encoding, log: log.NewReader(src, encoding), families: families, marks: marks, progress: progress}
		all := s.scan(1)
		if len(all) == 0 {
			all = scanWrapped(s, encoding, nil)
		}
		for _, p := range all {
			return p.Origin.Kind
		}
		return ""
	}
}

// A scanner reads a file once.
type scanner struct {
	src      bin.Source
	encoding log.Encoding
	log      *log.Reader // nil if the lines are those of joined
	joined   []Line      // what is left of them
	families []Family
	marks    *marks
	progress func(done int64) error // may be nil
	due      int64                  // the offset of the next call of progress

	markup  markup // the last one of the log
	line    int    // number of the line that was read last
	queued  []Line // lines that are read again
	again   int    // lines that were queued so far
	work    int64  // bytes of the lines of queued and joined that were read
	begun   []byte // the line at which a family looks for a report
	reading Lines  // what it reads; one for all, because most lines with a mark begin no report
	hits    []hit
	past    [maxPast]Line
	passed  int // lines in past so far

	rest      int64 // bytes that reports have read by Lines.Rest
	truncated bool  // the last line was left out
}

// maxPast lines before a report are kept, because it may refer to them: to the message of a signal
// handler.
const maxPast = 32

// tick is the number of bytes between two calls of progress.
const tick = 1 << 20

func (s *scanner) scan(most int) (all []*process.Process) {
	for len(all) < most {
		line, ok := s.next()
		if !ok || s.stopped(line.Start) {
			break
		}
		s.hits = s.marks.find(line.Text, s.hits[:0])
		if len(s.hits) > 0 && s.unpack(line) {
			continue
		}
		for _, hit := range s.hits {
			if got := s.read(line, hit); len(got) > 0 {
				all = append(all, got...)
				break
			}
		}
		past := &s.past[s.passed%maxPast]
		*past = Line{Text: append(past.Text[:0], line.Text...), Start: line.Start, End: line.End}
		s.passed++
	}
	return all
}

// stopped reports progress, and whether it ends the search.
func (s *scanner) stopped(done int64) bool {
	if s.progress == nil || done < s.due {
		return false
	}
	s.due = done + tick
	return s.progress(done) != nil
}

// read has a family read the report that may begin with a line. Lines that are not part of it are
// queued.
func (s *scanner) read(first Line, m hit) []*process.Process {
	s.begun = append(s.begun[:0], first.Text...)
	first.Text = s.begun
	l := &s.reading
	*l = Lines{s: s, first: first, text: string(first.Text), prefix: prefix{text: first.Text[:m.column]}, start: first.Start, end: first.End}
	got := s.families[m.family].Read(l)
	if len(got) == 0 {
		s.requeue(l.taken)
		return nil
	}
	slices.Reverse(l.back)
	s.requeue(append(l.foreign, l.back...))
	if l.endsInLine() {
		got = s.settle(first, m, l, got)
	}
	lines := excerpt{s.src, s.encoding, l.parts}
	for _, p := range got {
		p.Origin.Size = l.end - l.start
		p.Origin.Excerpt = lines.read
		hash, err := process.Digest(bin.NewSource(io.NewSectionReader(s.src, l.start, p.Origin.Size), p.Origin.Size))
		p.Hash = hash
		p.Note(err)
	}
	return got
}

// requeue has lines read again, within [maxAgain].
func (s *scanner) requeue(lines []Line) {
	lines = lines[:min(len(lines), maxAgain-s.again)]
	s.again += len(lines)
	s.queued = append(lines[:len(lines):len(lines)], s.queued...)
}

// next returns the next line, without colours. Its text is valid until the next one is read.
func (s *scanner) next() (Line, bool) {
	if len(s.queued) > 0 {
		line := s.queued[0]
		s.queued = s.queued[1:]
		s.work += int64(len(line.Text))
		return line, true
	}
	if s.log == nil {
		if len(s.joined) == 0 {
			return Line{}, false
		}
		line := s.joined[0]
		s.joined = s.joined[1:]
		s.work += int64(len(line.Text))
		return line, true
	}
	line, ok := s.log.Next()
	if !ok {
		return Line{}, false
	}
	s.line++
	return Line{Text: plain(line.Text), Number: s.line, Start: line.Start, End: line.End}, true
}
