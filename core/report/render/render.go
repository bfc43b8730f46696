// Package render writes a report for people and programs: as text close to minidump_stackwalk's, as
// the machine text of its -m flag, as JSON, as Markdown for an issue tracker, and as a
// self-contained page of HTML.
//
// Each form is a function of the report alone, so the page, the command line and a saved file show
// the same bytes. Any report is accepted, also a zero one. Unknown facts are left out, and the size
// of every form is bounded.
//
// Names in a report come from dumps and symbol files. All forms escape control characters and
// characters that change the direction of text ([Escape]); JSON uses its own escapes. No form masks
// people or secrets: package sanitize does that before.
//
// Read this file first, then a form: text.go with brief.go, textprocess.go, textthreads.go, textmodules.go
// and textvariables.go; machine.go; json.go; markdown.go with markdownstack.go; html.go with
// htmlstack.go and htmltables.go; original.go and rustform.go for the texts of the original programs. ends.go,
// waits.go, next.go and prose.go have the sentences, escape.go makes text safe, bound.go
// and shrink.go with relink.go bound the size.
package render

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"crashglass/core/report"
)

// Options select the parts of a report that are written. The zero value is everything but evidence.
// Threads that were not walked are only counted.
type Options struct {
	Brief     bool // text: the verdict, the crashing stack without registers, a line for each group of other threads, and what is missing
	NoModules bool // text and the originals' texts: modules are not listed
	Evidence  bool // each frame's evidence is written below it

	// Behind returns the text that Breakpad writes after a frame, given its caller. It may be nil.
	Behind func(frame, caller *report.Frame) string

	// Memory is the part of the process's memory that HTML shows: none by default.
	Memory []Excerpt
}

// A printer writes lines and keeps the first error of its writer.
type printer struct{ w *bufio.Writer }

func newPrinter(w io.Writer) *printer { return &printer{bufio.NewWriter(w)} }

// printf writes text; an error appears at the flush.
func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *printer) flush() error { return p.w.Flush() }

// text returns a string that may be missing, escaped for display.
func text(s *string) string { return Escape(report.Text(s)) }

// number parses an address that package report formatted. Anything else counts as 0.
func number(a report.Address) uint64 {
	v, err := strconv.ParseUint(string(a), 0, 64)
	if err != nil {
		return 0
	}
	return v
}

// reason returns the exception's name for people. Reports of older versions have only Type.
func reason(c *report.CrashInfo) *string {
	if c.Reason != nil {
		return c.Reason
	}
	return c.Type
}

// crashAddress returns the address of a crash, or why there is none.
func crashAddress(c *report.CrashInfo) string {
	if c.NoAddress != nil {
		return "none: " + text(c.NoAddress)
	}
	return string(*c.Address)
}

// unquotedAssertion reports whether the program left a message that the verdict does not quote.
func unquotedAssertion(r *report.Report) bool {
	a := report.Text(r.CrashInfo.Assertion)
	return a != "" && !strings.Contains(r.Verdict.Detail, a)
}

// preposition returns the word before a verdict's place, with its uncertainty.
func preposition(v *report.Verdict) string {
	in := " in "
	switch {
	case v.Guess:
		in = ", probably in "
	case v.Finding == report.FindingBugCheck: // a clause, to whose last word the place does not belong
		in = ", in "
	}
	if language := v.Kind.Language(); language != "" {
		in += language + " function "
	}
	return in
}

// plural returns the word for a number of things. 0 has the plural: "0 frames".
func plural(n uint64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
