// Package render writes a report in the forms that people and programs read:
// text close to minidump_stackwalk's, the machine text of its -m flag, JSON,
// Markdown for an issue tracker, and a page of HTML that needs nothing else.
//
// Each form is a function of the report and nothing else, so the page, the
// command line and a saved file show the same bytes. Any report is accepted,
// a zero one included: what is not known is left out, never made up.
//
// Names in a report come out of dumps and symbol files. All forms show control
// and direction-changing characters as escapes ([Escape]); those of JSON are
// JSON's own.
//
// Read this file first, then a form: text.go with textprocess.go,
// textthreads.go, textmodules.go and textvariables.go; machine.go; json.go;
// markdown.go with markdownstack.go; html.go with htmlstack.go and
// htmltables.go; original.go for the originals' text. ends.go, waits.go,
// next.go, doubts.go and prose.go have the sentences, escape.go makes text
// safe, bound.go and shrink.go keep it short.
package render

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"crashglass/core/report"
)

// Options say how much of a report is written. The zero value is everything
// but evidence. Threads that were not walked are never written, only counted.
type Options struct {
	Brief    bool // what is not about the threads that were walked is left out: modules
	Evidence bool // each frame's evidence is written below it

	// Behind is what Breakpad writes behind a frame, given its caller, or nil.
	Behind func(frame, caller *report.Frame) string

	// Memory is the bytes of the process that HTML shows: none unless somebody
	// chose to.
	Memory []Memory
}

// A printer writes lines and keeps the first error of its writer.
type printer struct{ w *bufio.Writer }

func newPrinter(w io.Writer) *printer { return &printer{bufio.NewWriter(w)} }

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *printer) flush() error { return p.w.Flush() }

// text is a string that may be missing, made fit to be shown.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return Escape(*s)
}

// number reads an address back. Addresses in a report are written by package
// report; anything else counts as 0.
func number(a report.Address) uint64 {
	v, err := strconv.ParseUint(string(a), 0, 64)
	if err != nil {
		return 0
	}
	return v
}

// reason is what people call the exception. Reports of older versions have Type only.
func reason(c *report.CrashInfo) *string {
	if c.Reason != nil {
		return c.Reason
	}
	return c.Type
}

// crashAddress is the address that a crash is about, or why there is none.
func crashAddress(c *report.CrashInfo) string {
	if c.NoAddress != nil {
		return "none: " + text(c.NoAddress)
	}
	return string(*c.Address)
}

// untoldAssertion reports whether the program left a text that the verdict does
// not quote already.
func untoldAssertion(r *report.Report) bool {
	a := raw(r.CrashInfo.Assertion)
	return a != "" && !strings.Contains(r.Verdict.Detail, a)
}

// preposition leads to the place of a verdict, with its doubt.
func preposition(v *report.Verdict) string {
	if v.Guess {
		return ", probably in "
	}
	return " in "
}

func plural(n uint64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
