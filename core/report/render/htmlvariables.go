package render

import (
	"cmp"
	"strings"

	"crashglass/core/report"
)

// variables writes arguments and locals as a list. Values with members unfold.
func (h htmler) variables(list []report.Variable) {
	if len(list) == 0 {
		return
	}
	h.printf("<ul class=\"vars\">\n")
	for i := range list {
		h.variable(&list[i], 1)
	}
	h.printf("</ul>\n")
}

// variable writes a variable at a depth of members, from 1 on. Below textDepth members are left
// out, as in the text.
func (h htmler) variable(v *report.Variable, depth int) {
	note := variableNote(v)
	if note == "" {
		note = string(v.Kind)
	}
	line := "<code><b>" + esc(cmp.Or(v.Name, "(anonymous)")) + "</b>" + esc(variableValue(v)) + "</code> <small>" +
		esc(strings.TrimSpace(strings.Trim(note, "()")+" "+v.Type)) + "</small>"
	shown, left := shownMembers(v)
	if len(shown) == 0 || depth > textDepth {
		h.printf("<li>%s", line)
		h.variableEvidence(v)
		h.printf("</li>\n")
		return
	}
	h.printf("<li><details><summary>%s</summary>", line)
	h.variableEvidence(v)
	h.printf("<ul>\n")
	for _, c := range shown {
		h.variable(c, depth+1)
	}
	if left > 0 {
		h.printf("<li><small>%d more</small></li>\n", left)
	}
	h.printf("</ul></details></li>\n")
}

// variableEvidence writes the location of a value and the reads behind it, if evidence was
// requested.
func (h htmler) variableEvidence(v *report.Variable) {
	if !h.opt.Evidence || v.Evidence == nil {
		return
	}
	h.printf("<pre>%s</pre>", lines(strings.Join(evidenceLines(v), "\n")))
}
