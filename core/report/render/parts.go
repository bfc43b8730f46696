package render

import (
	"io"
	"strings"

	"crashglass/core/report"
)

// Thread writes one stack of a report as text.
func Thread(w io.Writer, r *report.Report, thread int, opt Options) error {
	return textPart(w, r, opt, func(t texter) { t.thread(thread, howOf(&t.r.Threads[thread])) })
}

// Row writes the frame that has a row of a stack, with the calls inlined into it. It writes nothing if there is no such row.
func Row(w io.Writer, r *report.Report, thread, row int, opt Options) error {
	return textPart(w, r, opt, func(t texter) {
		first := 0
		for i := range t.r.Threads[thread].Frames {
			f := &t.r.Threads[thread].Frames[i]
			next := first + len(f.Inlines) + 1
			if first <= row && row < next {
				t.frame(first, f)
			}
			first = next
		}
	})
}

// Wanted writes the symbol files that would name more frames.
func Wanted(w io.Writer, r *report.Report) error { return textPart(w, r, Options{}, texter.wanted) }

// Verdict writes what happened, with the evidence and the next steps.
func Verdict(w io.Writer, r *report.Report) error { return textPart(w, r, Options{}, texter.verdict) }

// Value returns the text of a variable's value, or the reason why there is none; "" for one with members only.
func Value(v *report.Variable) string {
	return strings.TrimPrefix(strings.TrimPrefix(variableValue(v), " = "), ": ")
}

func textPart(w io.Writer, r *report.Report, opt Options, write func(texter)) error {
	return bounded(w, r, func(w io.Writer, r *report.Report) error {
		t := texter{newPrinter(w), r, opt}
		write(t)
		return t.flush()
	})
}
