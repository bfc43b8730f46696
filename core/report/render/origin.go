package render

import (
	"fmt"

	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
)

// originEnds end the sentences about links without another end.
var originEnds = map[report.OriginKind]string{
	report.OriginCopy: "a copy of another register", report.OriginSum: "the sum of another register and a number",
	report.OriginConstant: "a constant of the code", report.OriginResult: "the result of a call",
	report.OriginArgument: "passed by the caller", report.OriginUnknown: "not proved by the dump",
}

// originSentence says where the value of a link came from, as a row of a list.
func originSentence(l *report.OriginLink) string {
	words, what := "", "the value"
	if l.Guess {
		words = symbolize.Mark
	}
	switch {
	case l.Variable != "":
		what = quoted(l.Variable)
		if l.Register != "" {
			what += " in " + l.Register
		}
	case l.Register != "":
		what = l.Register
	}
	if words += what; l.Value != nil {
		words += " = " + short(l.Value)
	}
	words += ": "
	switch {
	case l.Kind == report.OriginLoad:
		words += "loaded"
		if l.Source != "" {
			words += " from " + quoted(l.Source)
		}
		if l.Memory != nil {
			words += " at " + short(l.Memory)
		}
	case l.Kind == report.OriginResult && l.Function != "":
		words += "returned by " + quoted(l.Function)
	default:
		words += originEnds[l.Kind]
	}
	if l.Instruction != "" && l.Kind != report.OriginResult {
		words += ", by " + quoted(l.Instruction)
	}
	if l.Frame > 0 {
		words += fmt.Sprintf(", in frame %d", l.Frame)
	}
	return words
}

func (t texter) origin() {
	if len(t.r.CrashInfo.Origin) > 0 {
		t.printf("Where it comes from:\n")
	}
	for i := range t.r.CrashInfo.Origin {
		t.printf("    %s\n", Escape(originSentence(&t.r.CrashInfo.Origin[i])))
	}
}

func (m markdown) origin() {
	m.numbered("Where it comes from", len(m.r.CrashInfo.Origin), func(i int) string { return originSentence(&m.r.CrashInfo.Origin[i]) })
}

func (h htmler) origin() {
	if len(h.r.CrashInfo.Origin) == 0 {
		return
	}
	h.printf("<h2>Where it comes from</h2>\n<ol>\n")
	for i := range h.r.CrashInfo.Origin {
		h.printf("<li>%s</li>\n", prose(originSentence(&h.r.CrashInfo.Origin[i])))
	}
	h.printf("</ol>\n")
}
