package main

import (
	"strings"
	"testing"
)

// broken is a writer with a bug.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("a password") }

// A panic of the program itself ends it with one line that has no bytes of the input.
func TestBug(t *testing.T) {
	var errs strings.Builder
	status := run([]string{"help"}, broken{}, &errs)
	if got := errs.String(); status != exitInput || strings.Count(got, "\n") != 1 ||
		!strings.Contains(got, "this is a bug in Crashglass (panic of type string in ") || strings.Contains(got, "password") {
		t.Errorf("status %d, %q", status, got)
	}
}
