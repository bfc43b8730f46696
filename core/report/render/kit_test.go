package render

import (
	"io"
	"strings"
	"testing"

	"crashglass/core/report"
)

// formed is a report in one form.
func formed(t *testing.T, write func(io.Writer, *report.Report, Options) error, r *report.Report, opt Options) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, r, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// crashOf is a report whose only thread crashed with these frames.
func crashOf(frames ...report.Frame) *report.Report {
	r := &report.Report{Threads: []report.Thread{{ID: 7, Crashed: true, Frames: frames}}}
	r.CrashInfo.CrashingThread = ptr(0)
	r.Verdict.Crashed = true
	return r
}

// lacks reports the first of the wanted texts that is not in a form, in the given order.
func lacks(t *testing.T, out string, wants ...string) {
	t.Helper()
	rest := out
	for _, want := range wants {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Errorf("no %q, or not in this order, in\n%s", want, out)
			return
		}
		rest = after
	}
}

// brief is BreakpadBrief as a form.
func brief(w io.Writer, r *report.Report, _ Options) error { return BreakpadBrief(w, r) }

// cut is strings.Cut from the last separator.
func cut(s, separator string) (before, after string, found bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}
