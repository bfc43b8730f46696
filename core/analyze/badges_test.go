package analyze

import (
	"slices"
	"testing"

	"crashglass/core/report"
)

// A badge stays only if it adds something to the explanation and to the badges before it.
func TestNews(t *testing.T) {
	badge := func(kind report.FindingKind, text string, evidence ...string) report.Badge {
		return report.Badge{Finding: kind, Text: text, Evidence: evidence}
	}
	tests := []struct {
		finding report.FindingKind
		in      report.Badge
		want    []string
	}{
		{"null_pointer", badge("null_pointer", "Null pointer", "rdi is 0."), nil},
		{"null_pointer", badge("null_pointer", "Null pointer", "rdi is 0.", "More."), []string{"Null pointer", "More."}},
		{"null_pointer", badge("bit_flip", "Possible bit flip", "rdi is one bit away."), nil},
		{"abort", badge("bit_flip", "Possible bit flip", "rdi is one bit away."), nil},
		{"signal_from_outside", badge("bit_flip", "Possible bit flip", "rdi is one bit away."), nil},
		{"unmapped", badge("bit_flip", "Possible bit flip", "rdi is one bit away."), []string{"Possible bit flip", "rdi is one bit away."}},
		{"", badge("bit_flip", "Possible bit flip", "rdi is one bit away."), []string{"Possible bit flip", "rdi is one bit away."}},
		{"abort", badge("first_own_frame", "First own frame: main", "The innermost is the system's."), nil},
		{"abort", badge("first_own_frame", "First own frame: f", "The innermost is the system's."), []string{"First own frame: f", "The innermost is the system's."}},
		{"abort", badge("untrusted_stack", "Stack is a guess"), nil}, // without new evidence it is dropped
	}
	for _, tt := range tests {
		where := "main"
		v := report.Verdict{Where: &where, Detail: "Something failed; rdi is 0.", Finding: tt.finding, Badges: []report.Badge{tt.in, tt.in}}
		var got []string
		for _, b := range fresh(&v) {
			got = append(append(got, b.Text), b.Evidence...)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s beside %q: %q, want %q", tt.in.Text, tt.finding, got, tt.want)
		}
	}
}
