package process

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

// Has asks for all of some facts, and not for one of them.
func TestHas(t *testing.T) {
	for _, tt := range []struct {
		lacks, facts Lack
		want         bool
	}{
		{lacks: 0, facts: 0, want: true}, // nothing is always lacking
		{lacks: 0, facts: Copy},
		{lacks: Copy, facts: Copy, want: true},
		{lacks: Copy | Writer, facts: Copy, want: true},
		{lacks: Copy, facts: Copy | Writer},
		{lacks: CPUModel, facts: CPUCount},
	} {
		if got := tt.lacks.Has(tt.facts); got != tt.want {
			t.Errorf("%q has %q: %t", tt.lacks, tt.facts, got)
		}
	}
}

// Each fact is its own, with its own word.
func TestWordsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for l := CPUModel; l <= Copy; l *= 2 {
		if text := l.String(); text == "" || strings.Contains(text, ",") || seen[text] {
			t.Errorf("%d is %q", l, text)
		} else {
			seen[text] = true
		}
	}
	if Lack(0).String() != "" || (2*Copy).String() != "" {
		t.Errorf("%q and %q", Lack(0), 2*Copy)
	}
}

// A fact that no word stands for is not said, and hides no other.
func TestUnknownLack(t *testing.T) {
	if got := (Copy<<1 | Writer).String(); got != "writer" {
		t.Errorf("%q", got)
	}
}
