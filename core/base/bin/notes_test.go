package bin

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

func listed(n *Notes) string {
	text, more := n.List()
	return fmt.Sprint(text, more)
}

func TestNotes(t *testing.T) {
	n := &Notes{Limit: 3}
	for _, text := range []string{"b", "a", "b", "c", "a", "d", "e", "d", "c"} {
		n.Add(text)
	}
	if got, want := listed(n), "[b a c] 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	other := &Notes{}
	other.Add("x")
	other.Add("a")
	other.AddAll(n)
	if got, want := listed(other), "[x a b c] 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	n.AddAll(other)
	if got, want := listed(n), "[b a c] 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	other.AddAll(other)
	if got, want := listed(other), "[x a b c] 6"; got != want {
		t.Errorf("its own: got %s, want %s", got, want)
	}
	text, _ := n.List()
	text[0] = "changed"
	if got, _ := n.List(); got[0] != "b" {
		t.Error("a list is not the caller's own")
	}
}

func TestNotesDefault(t *testing.T) {
	var n Notes
	for i := range DefaultNotes + 5 {
		n.Add(fmt.Sprint(i))
	}
	if text, more := n.List(); len(text) != DefaultNotes || more != 5 {
		t.Errorf("%d, and %d more", len(text), more)
	}
}

// TestNotesConcurrently is for the race detector, and counts.
func TestNotesConcurrently(t *testing.T) {
	n := &Notes{Limit: 50}
	var all sync.WaitGroup
	for from := range 4 {
		all.Go(func() {
			for i := range 100 {
				n.Add(fmt.Sprint(from/2*100 + i)) // two goroutines add each sentence
				n.List()
			}
		})
	}
	all.Wait()
	text, more := n.List()
	slices.Sort(text)
	if once := slices.Compact(slices.Clone(text)); len(once) != 50 || len(text) != 50 || more != 300 {
		t.Errorf("%d sentences, %d of them different, and %d more", len(text), len(once), more)
	}
}
