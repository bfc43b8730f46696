package text

import (
	"bytes"
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/process"
)

// maxSettled bounds the bytes of a report that is read once more without its last line.
const maxSettled = 16 << 20

// endsInLine reports whether a report has the last line of a file, and that has no line end: it may be truncated. One of JSON is
// whole.
func (l *Lines) endsInLine() bool {
	n, src := len(l.parts), l.s.src
	if n == 0 || l.last.unpacked || l.s.log == nil || l.parts[n-1].to < src.Size() {
		return false
	}
	width := l.s.encoding.Width()
	last, err := src.Read("report", src.Size()-width, uint64(width))
	return err == nil && !bytes.ContainsAny(l.s.encoding.Plain(last), "\r\n")
}

// settle decides what the truncated last line of a file counts for. A frame that says less than the others is left out, and so is a module without
// an ID, whose name may go on. A frame that looks whole, a module with an ID, and a message stay, with a note.
func (s *scanner) settle(first Line, m hit, l *Lines, got []*process.Process) []*process.Process {
	if l.last.Start-first.End > maxSettled {
		return got
	}
	before, then := s.readUpTo(first, m, l.last.Start), &process.Process{}
	if len(before) == len(got) {
		then = before[len(got)-1]
	}
	what, now := "", got[len(got)-1]
	switch frame, others, changed := newFrame(now, then); {
	case changed && !isWhole(frame, others), !changed && isSameEnd(now, then) && identified(now) == identified(then) && len(now.Modules) != len(then.Modules):
		s.truncated = true
		if got, what = before, "it is left out"; len(got) == 0 {
			return nil
		}
	case changed || !isSameEnd(now, then) || identified(now) > identified(then):
		what = "what it says may be truncated"
	default:
		return got
	}
	p := got[len(got)-1]
	p.Note(&bin.Error{What: p.Origin.Kind, Off: l.last.Start, Why: fmt.Sprintf("line %d is the last one, and has no end: %s", l.last.Number, what)})
	return got
}

// readUpTo reads a report once more, from its lines before an offset.
func (s *scanner) readUpTo(first Line, m hit, end int64) []*process.Process {
	if end < first.End {
		return nil
	}
	data, err := s.src.Read("report", first.End, uint64(end-first.End))
	if err != nil {
		return nil
	}
	t := &scanner{src: s.src, encoding: s.encoding, families: s.families, marks: s.marks, past: s.past, passed: s.passed}
	at, number := first.End, first.Number
	for line := range bytes.Lines(s.encoding.Plain(data)) {
		start := at
		at += int64(len(line)) * s.encoding.Width()
		number++
		line = bytes.TrimRight(line, "\r\n")
		t.joined = append(t.joined, Line{Text: plain(line[:min(len(line), MaxLine)]), Number: number, Start: start, End: at})
	}
	return t.read(first, m)
}

// newFrame returns the last frame of a process that another reading of it has not, and the other frames of its thread.
func newFrame(now, then *process.Process) (f *process.Names, others []process.Frame, ok bool) {
	for i := len(now.Threads) - 1; i >= 0; i-- {
		list := now.Threads[i].Frames
		for n := len(list) - 1; n >= 0; n-- {
			if f := list[n].Stated; i >= len(then.Threads) || n >= len(then.Threads[i].Frames) || !isSameCall(f, then.Threads[i].Frames[n].Stated) {
				return f, append(list[:n:n], list[n+1:]...), true
			}
		}
	}
	return nil, nil, false
}

func isSameCall(a, b *process.Names) bool {
	return a.Function == b.Function && a.File == b.File && a.Line == b.Line && a.Module == b.Module && len(a.Inlines) == len(b.Inlines)
}

// identified is the number of modules with an ID.
func identified(p *process.Process) (n int) {
	for i := range p.Modules {
		if m := &p.Modules[i]; m.DebugID != "" || m.CodeID != "" {
			n++
		}
	}
	return n
}

func isSameEnd(a, b *process.Process) bool {
	return a.Message == b.Message && fmt.Sprint(a.Problem, a.Event) == fmt.Sprint(b.Problem, b.Event)
}

// isWhole reports whether a frame says as much as the others of its stack, and ends no name within brackets.
func isWhole(f *process.Names, others []process.Frame) bool {
	for _, name := range []string{f.Function, f.Module} {
		for _, pair := range []string{"()", "[]", "{}", "<>"} {
			if strings.Count(name, pair[:1]) > strings.Count(name, pair[1:]) && !strings.Contains(name, "operator") {
				return false
			}
		}
	}
	parts := func(f *process.Names) [4]bool {
		return [4]bool{f.Function != "", f.Module != "", f.Line > 0, f.Place != process.Unplaced}
	}
	has, all := parts(f), [4]bool{true, true, true, true}
	for i := range others {
		for n, is := range parts(others[i].Stated) {
			all[n] = all[n] && is
		}
	}
	for n := range has {
		if len(others) > 0 && all[n] && !has[n] {
			return false
		}
	}
	return true
}
