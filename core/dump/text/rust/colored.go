package rust

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// crashed is the first line of a panic as the crates color-backtrace and color-eyre print it. Errors that the function main returns look alike:
//
//	The application panicked (crashed).           Error:
//	Message:  index out of bounds                    0: cannot read /etc/quay
//	Location: src/main.rs:2                          1: No such file or directory (os error 2)
//
//	  ━━━━━━━━━━━━━ BACKTRACE ━━━━━━━━━━━━━       Location:
//	                 ⋮ 8 frames hidden ⋮             src/main.rs:3
//	   9: quay::slot::h30e9dccc7afc43cd
//	      at /home/quay/src/main.rs:2
//
// A panic with such an error in its message has the error's place and stack before its own.
//
// Source: color-backtrace, src/lib.rs (print_panic_info, print_trace); eyre, color-eyre/src/config.rs (PanicReport, BacktraceFormatter) and
// color-eyre/src/handler.rs.
const crashed = "The application panicked (crashed)."

// A section is a part of such a report.
type section uint8

const (
	inMessage  section = iota
	inLocation         // the place is in the next line
	inStack
	elsewhere // in a span trace, or behind a section
)

// A colored is a report with sections.
type colored struct {
	report
	in   section
	kept []text.Frame // the stack of the error in the message
}

func readColored(l *text.Lines) []*process.Process {
	l.Begin(l.Mark())
	first, _ := l.Next()
	panics := strings.HasPrefix(first, crashed)
	if next, _ := l.Peek(); !panics && !strings.HasPrefix(strings.TrimSpace(next), "0: ") {
		return nil
	}
	r := &colored{report: report{d: text.NewDraft(kind), l: l, inError: true}}
	for r.line() {
	}
	if r.flush(false); r.place == "" && len(r.errs) == 0 {
		return nil
	}
	r.d.Thread(process.Thread{})
	if len(r.errs) == 0 {
		file, line := text.Source(r.place)
		r.errs = []text.Frame{{Names: process.Names{File: file, Line: line}}}
	}
	for _, f := range r.errs {
		r.d.Frame(f)
	}
	r.errs = r.kept
	r.addError()
	p := &r.d.Process
	if p.Problem = (&process.Problem{Kind: process.Printed, Text: strings.Join(r.message, " ")}); panics {
		p.Subject, p.Problem.Kind = 0, process.Panic
		r.d.Annotate("panicked at", r.place)
	}
	return []*process.Process{r.d.Finish()}
}

// line reads a line, and reports whether the report goes on.
func (r *colored) line() bool {
	line, ok := r.l.Next()
	if !ok {
		return false
	}
	s := strings.TrimSpace(line)
	indented := len(line) - len(strings.TrimLeft(line, " "))
	place, isPlace := strings.CutPrefix(s, "Location:")
	switch {
	case strings.Contains(s, "━ BACKTRACE ━"):
		r.in = inStack
	case strings.HasPrefix(s, "━"):
		r.in = elsewhere
	case isPlace:
		if r.flush(false); r.place != "" {
			r.kept, r.errs = r.errs, nil
		}
		if r.place, r.in = strings.TrimSpace(place), elsewhere; r.place == "" {
			r.in = inLocation
		}
	case r.in == inLocation:
		r.place, r.in = s, elsewhere
	case r.in == inMessage && len(r.message) < maxMessage:
		if s = strings.TrimSpace(strings.TrimPrefix(s, "Message:")); s != "" {
			r.message = append(r.message, s)
		}
	case s == "", strings.HasPrefix(s, "⋮"), strings.HasPrefix(s, "("), strings.HasPrefix(s, "Run with "), strings.HasPrefix(s, "Backtrace omitted"):
	case indented >= sourceIndent && !strings.HasPrefix(s, "at "), r.in == elsewhere && indented > 0: // lines of the source, and of spans
	case r.in == inStack:
		return r.call(strings.TrimSuffix(s, "<unknown>"))
	default:
		r.l.Back()
		return false
	}
	return true
}

// sourceIndent is the indentation of places, and the least of source lines.
const sourceIndent = 6
