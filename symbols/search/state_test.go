package search

import (
	"errors"
	"testing"
)

// A query is answered by search while that is certain, then by the scan. The scan says which of
// the earlier answers differ.
func TestQuery(t *testing.T) {
	var s State
	s.Begin()
	table, found, doubt := 1, true, false
	var scanned error
	ask := func() (int, bool) {
		return Query(&s, func() (int, bool) {
			if doubt {
				s.Doubt()
			}
			return table, found || !s.Searching()
		}, func(a, b int) bool { return a == b }, func() error {
			if scanned == nil {
				s.End()
			}
			return scanned
		})
	}
	if v, ok := ask(); v != 1 || !ok || len(s.Answers) != 1 {
		t.Fatalf("by search: %d, %v, %d answers", v, ok, len(s.Answers))
	}
	scanned = errors.New("not now")
	for what, set := range map[string]*bool{"doubt": &doubt, "absence": &found} {
		*set = !*set
		before := s.Unanswered
		if v, ok := ask(); v != 0 || ok || s.Unanswered != before+1 || !s.Searching() || len(s.Answers) != 1 {
			t.Errorf("%s: %d, %v, %d unanswered", what, v, ok, s.Unanswered)
		}
		*set = !*set
	}
	scanned, found, doubt, table = nil, false, true, 2
	if v, ok := ask(); v != 2 || !ok || s.Searching() || s.InDoubt() {
		t.Errorf("by the scan: %d, %v", v, ok)
	}
	for range 2 {
		if s.Compare(); s.Differ != 1 {
			t.Errorf("%d answers differ, want 1", s.Differ)
		}
	}
}

// TestKeepIsBounded keeps the first answers.
func TestKeepIsBounded(t *testing.T) {
	var s State
	for range maxAnswers + 1 {
		s.Remember(func() bool { return true })
	}
	if len(s.Answers) != maxAnswers {
		t.Errorf("%d answers", len(s.Answers))
	}
}
