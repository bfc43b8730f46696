package crash

import (
	"testing"

	"crashglass/core/report"
)

// The sentence of a verdict names the variable that was bad, from the first link that has a name. Copies and sums are followed, and a
// link that proves nothing ends the search.
func TestOriginText(t *testing.T) {
	null, bad := report.Address("0x0000000000000000"), report.Address("0x0000000000000010")
	link := func(kind report.OriginKind, value *report.Address, variable, source string) report.OriginLink {
		return report.OriginLink{Kind: kind, Register: "rdi", Value: value, Variable: variable, Source: source}
	}
	guess := link(report.OriginLoad, &null, "", "e->target")
	guess.Guess = true
	returned := link(report.OriginResult, &null, "", "")
	returned.Function = "find"
	for _, tt := range []struct {
		name  string
		trail report.Trail
		want  string
	}{
		{"nothing", nil, ""},
		{"member", report.Trail{link(report.OriginLoad, &null, "", "e->target")}, "`e->target` is null."},
		{"variable of a member", report.Trail{link(report.OriginLoad, &bad, "p", "ring->items[2]")}, "`p` is 0x10, loaded from `ring->items[2]`."},
		{"variable", report.Trail{link(report.OriginUnknown, &null, "p", "")}, "`p` is null."},
		{"copy of a variable", report.Trail{link(report.OriginCopy, &null, "", ""), link(report.OriginArgument, &null, "p", "")}, "`p` is null."},
		{"guess", report.Trail{guess}, "Probably, `e->target` is null."},
		{"result", report.Trail{returned}, "`rdi` is what `find` returned: null."},
		{"result of nothing known", report.Trail{link(report.OriginResult, &null, "", "")}, ""},
		{"without a value", report.Trail{link(report.OriginLoad, nil, "", "e->target")}, ""},
		{"behind what is not proved", report.Trail{link(report.OriginUnknown, &null, "", ""), link(report.OriginLoad, &null, "p", "")}, ""},
	} {
		if got := originText(tt.trail); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
