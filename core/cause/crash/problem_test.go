package crash

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/process"
)

// The words of a report are the headline if they are short, and evidence
// otherwise.
func TestProblemWords(t *testing.T) {
	long := strings.Repeat("n", maxHeadline)
	for _, tt := range []struct {
		problem  process.Problem
		text     string
		evidence []string
	}{
		{process.Problem{Kind: process.Killed, Text: "memory ran out"}, "Killed by the system: memory ran out", nil},
		{process.Problem{Kind: process.Killed, Text: long + "n"}, "Killed by the system", []string{"The report says: " + long + "n."}},
		{process.Problem{Kind: process.Panic, Text: "SEP monitor error"}, "Panic: SEP monitor error", nil},
		{process.Problem{Kind: process.Panic}, "Panic", nil},
		{process.Problem{Kind: process.DoubleFree, Text: "Double Free"}, "Double free", []string{"The report says: Double Free."}},
	} {
		all := (&facts{in: &Input{Problem: &tt.problem}}).findProblem()
		if len(all) != 1 || all[0].Text != tt.text || !slices.Equal(all[0].Evidence, tt.evidence) {
			t.Errorf("%+v: %+v", tt.problem, all)
		}
	}
}
