package crash

import (
	"slices"
	"strings"
	"testing"

	"crashglass/core/process"
)

// A report of memory states the name of the largest process alone. The words of a report are the headline if they are short, and evidence
// otherwise.
func TestProblemWords(t *testing.T) {
	long := strings.Repeat("n", maxHeadline)
	for _, tt := range []struct {
		problem  process.Problem
		text     string
		evidence []string
	}{
		{process.Problem{Kind: process.Killed, Text: "Game"}, "Killed by the system: memory ran out; the largest process was Game", nil},
		{process.Problem{Kind: process.Killed, Text: long}, "Killed by the system", []string{"The report says: memory ran out; the largest process was " + long + "."}},
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
