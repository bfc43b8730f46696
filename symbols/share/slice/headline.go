package slice

import (
	"fmt"

	"crashglass/core/report"
)

// Headline is what is seen first of a report, and its signature, to check what slices of its symbols change. Without names,
// the function is left out. The mask is applied to names; nil leaves them as they are.
func Headline(r *report.Report, names bool, mask Mask) string {
	if mask == nil {
		mask = unmasked{}
	}
	guess := ""
	if r.Verdict.Guess {
		guess = "probably "
	}
	out := fmt.Sprintf("%s%q", guess, mask.Symbol(r.Verdict.What))
	if names && r.Verdict.Where != nil {
		out += fmt.Sprintf(" in %s", mask.Symbol(*r.Verdict.Where))
	}
	if names && r.Signature != nil {
		out += fmt.Sprintf(", signature %q", mask.Symbol(*r.Signature))
	}
	return out
}
