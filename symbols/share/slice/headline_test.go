package slice

import (
	"testing"

	"crashglass/core/report"
)

// A headline has the verdict, and with names its place and the signature, masked like the names of slices.
func TestHeadline(t *testing.T) {
	where, signature := "f", "app!f"
	r := &report.Report{Verdict: report.Verdict{What: "Null pointer read", Where: &where, Guess: true}, Signature: &signature}
	for _, tt := range []struct {
		names bool
		mask  Mask
		want  string
	}{
		{names: true, mask: nil, want: `probably "Null pointer read" in f, signature "app!f"`},
		{names: true, mask: initials{}, want: `probably "name N" in name f, signature "name a"`},
		{names: false, mask: nil, want: `probably "Null pointer read"`},
	} {
		if got := Headline(r, tt.names, tt.mask); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
	if got := Headline(&report.Report{}, true, nil); got != `""` {
		t.Errorf("%s of nothing", got)
	}
}
