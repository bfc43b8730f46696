package main

import "testing"

// No text of a dump moves a terminal's cursor, and a report has its colours.
func TestShown(t *testing.T) {
	for _, tt := range []struct {
		text   string
		colour bool
		want   string
	}{
		{"plain\n", true, "plain\n"},
		{"Thread 0 (crashed)\n 0  app", true, "\x1b[1mThread 0 (crashed)\x1b[0m\n 0  app"},
		{"Thread 0 (crashed)\n", false, "Thread 0 (crashed)\n"},
		{"Thread \x1b[2J\x1b]0;title\a\n", true, "\x1b[1mThread \\x1b[2J\\x1b]0;title\\x07\x1b[0m\n"},
		{"a\u009b2Jb\rc\td\n", false, "a\\u009b2Jb\\x0dc        d\n"},
	} {
		if got := shown(tt.text, tt.colour); got != tt.want {
			t.Errorf("%q, colour %v: %q, want %q", tt.text, tt.colour, got, tt.want)
		}
	}
}
