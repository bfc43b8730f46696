package snapshot

import (
	"strings"
	"testing"
)

// Every fact has a word.
func TestLackWords(t *testing.T) {
	if got, want := (CPUModel | CodeIDs | Copy).String(), "CPU model, code IDs, copy"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if all := 2*Copy - 1; strings.Count(all.String(), ", ") != len(words)-1 || len(words) == 0 {
		t.Errorf("%d words: %s", len(words), all)
	}
}
