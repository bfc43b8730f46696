package text

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"crashglass/core/dump/log"
	"crashglass/core/process"
)

const (
	leastWidth = 60      // columns at which mails are wrapped
	mostWidth  = 80      // likewise
	maxParts   = 3       // further lines of a line
	maxWrapped = 4 << 20 // bytes that are scanned to find out which lines were wrapped
)

// scanWrapped looks for reports once more as they were before a mail program wrapped their lines. That the first word of a line had no room in
// the one before it is all that lines have to say about it, and a line of the report itself may follow so, too. So lines are joined to those
// before and parted again, up to [maxParts] at a time, as long as the reports say more; from the file as it is, and from the one in which all are joined.
func scanWrapped(s *scanner, encoding log.Encoding, all []*process.Process) []*process.Process {
	if s.src.Size() > maxWrapped/16 {
		return all
	}
	w := &unwrapper{first: s, lines: narrow(log.NewReader(s.src, encoding)), all: all}
	if n := len(w.lines); s.truncated && n > 0 {
		w.lines = w.lines[:n-1]
	}
	var rests []*wrapped
	for i := range w.lines {
		if w.lines[i].rest {
			rests = append(rests, &w.lines[i])
		}
	}
	if len(rests) > 0 {
		w.improve(rests)
		first := w.all
		for _, line := range rests {
			line.joined = true
		}
		w.all = w.scan()
		w.improve(rests)
		if !allSaid(w.all).isMoreThan(allSaid(first)) {
			return first
		}
	}
	return w.all
}

// An unwrapper joins lines.
type unwrapper struct {
	first *scanner // that read the lines as they are
	lines []wrapped
	all   []*process.Process // what is found with the lines as they are joined now
	work  int64              // bytes that were scanned, some of them again
}

// improve changes one line after the other, or some in a row, and then parts those that are joined for nothing.
func (w *unwrapper) improve(rests []*wrapped) {
	w.work = 0
	for i := range rests {
		for n := 1; n <= maxParts && i+n <= len(rests) && !w.change(rests[i:i+n], said.isMoreThan); n++ {
		}
	}
	for i := range rests {
		if rests[i].joined {
			w.change(rests[i:i+1], said.isNoLessThan)
		}
	}
}

// change joins lines that are not, and parts those that are, if what the reports say is better then.
func (w *unwrapper) change(some []*wrapped, isBetterThan func(now, before said) bool) bool {
	if w.work > maxWrapped {
		return false
	}
	for _, line := range some {
		line.joined = !line.joined
	}
	all := w.scan()
	if isBetterThan(allSaid(all), allSaid(w.all)) {
		w.all = all
		return true
	}
	for _, line := range some {
		line.joined = !line.joined
	}
	return false
}

// A wrapped is a line of a file that a mail program may have wrapped.
type wrapped struct {
	Line
	rest   bool // it may be the rest of the line before
	joined bool // it is taken for one
}

// narrow returns the lines of a file. None is a rest in a file of short lines, or with many long ones, which nobody wrapped.
func narrow(in *log.Reader) (lines []wrapped) {
	width, long := 0, 0
	for {
		line, ok := in.Next()
		if !ok {
			break
		}
		text := bytes.Clone(plain(line.Text))
		lines = append(lines, wrapped{Line: Line{Text: text, Number: len(lines) + 1, Start: line.Start, End: line.End}})
		if len(text) <= mostWidth {
			width = max(width, len(text))
		} else if bytes.Contains(bytes.TrimLeft(text[:mostWidth], "> \t"), []byte(" ")) {
			long++
		}
	}
	services := map[string]int{}
	for i := range lines {
		services[service(lines[i].Text)]++
	}
	for i := 1; i < len(lines) && width >= leastWidth && long <= len(lines)/16; i++ {
		lines[i].rest = isRest(lines[i-1].Text, lines[i].Text, width)
		if name := service(lines[i].Text); name != "" && services[name] >= leastService {
			lines[i].rest = false
		}
	}
	return lines
}

// leastService lines begin with a name that Docker Compose writes before each line: "app-1  | ".
const leastService = 3

// service is the name that Docker Compose may have written before a line.
func service(line []byte) string {
	name, rest, ok := bytes.Cut(line[quoted(line):], []byte(" "))
	if rest = bytes.TrimLeft(rest, " "); !ok || len(name) == 0 || len(rest) == 0 || rest[0] != '|' {
		return ""
	}
	return string(name)
}

// scan reads the lines as they are joined now. A line that is joined has the number and the beginning of its first part.
func (w *unwrapper) scan() []*process.Process {
	lines := make([]Line, 0, len(w.lines))
	copied := false // the last line's text is a copy, which may grow: thousands of lines may be joined to one
	for _, line := range w.lines {
		if !line.joined {
			lines = append(lines, line.Line)
			copied = false
			continue
		}
		to := &lines[len(lines)-1]
		if !copied {
			to.Text, copied = slices.Clip(to.Text), true
		}
		if !bytes.HasSuffix(to.Text, []byte(" ")) {
			to.Text = append(to.Text, ' ')
		}
		to.Text = append(to.Text, line.Text[quoted(line.Text):]...)
		to.End = line.End
	}
	s := &scanner{src: w.first.src, encoding: w.first.encoding, joined: lines, families: w.first.families, marks: w.first.marks}
	all := s.scan(maxReports)
	w.work += s.work
	return all
}

// isRest reports whether a line may be the rest of the one before it: that has no room for its first word, and it has no indentation.
// Frames of many stacks begin with a number, and are no rest.
func isRest(before, line []byte, width int) bool {
	line = line[quoted(line):]
	if len(line) == 0 || len(before) == quoted(before) || line[0] == ' ' || line[0] == '\t' || line[0] == '#' && digits(line[1:]) > 0 {
		return false
	}
	if n := digits(line); n > 0 && n <= 3 && n < len(line) && (line[n] == ' ' || line[n] == ':') {
		return false
	}
	word, _, _ := bytes.Cut(line, []byte(" "))
	return len(before)+1+len(word) > width
}

// quoted is the length of the signs of a quoted mail: "> > ".
func quoted(line []byte) int {
	n := 0
	for n < len(line) && line[n] == '>' {
		if n++; n < len(line) && line[n] == ' ' {
			n++
		}
	}
	return n
}

// A said is how much reports say, the more important first: why a program ended; events, frames with their names, lines and inlined calls,
// modules with their IDs; how much of the modules.
type said struct{ reasons, facts, mapped uint64 }

func (s said) isMoreThan(o said) bool {
	return cmp.Or(cmp.Compare(s.reasons, o.reasons), cmp.Compare(s.facts, o.facts), cmp.Compare(s.mapped, o.mapped)) > 0
}

func (s said) isNoLessThan(o said) bool { return !o.isMoreThan(s) }

func allSaid(all []*process.Process) (s said) {
	count := func(stated ...bool) {
		for _, is := range stated {
			if is {
				s.facts++
			}
		}
	}
	for _, p := range all {
		if p.Subject >= 0 && (p.Event != nil || p.Problem != nil) {
			s.reasons = 1 // a stack with an empty line in it can be taken for two reports, which say no more
		}
		count(p.Event != nil, p.Event != nil && !p.Event.NoAddress, p.Problem != nil && p.Problem.Text != "", p.Problem != nil && strings.Contains(p.Problem.Text, "0x"))
		for i := range p.Modules {
			m := &p.Modules[i]
			count(true, m.DebugID != "", m.CodeID != "", !m.ByName, m.Arch != "")
			s.mapped += m.Size
		}
		for _, t := range p.Threads {
			for _, f := range t.Frames {
				for _, stated := range append(slices.Clip(f.Stated.Inlines), *f.Stated) {
					count(true, stated.Function != "", stated.Line > 0, stated.Place != process.Unplaced)
				}
			}
		}
	}
	return s
}
