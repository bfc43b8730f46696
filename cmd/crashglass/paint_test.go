package main

import "testing"

// No text of a dump moves a terminal's cursor, and a report has its colours.
func TestShown(t *testing.T) {
	for _, tt := range []struct {
		text   string
		colour bool
		want   string
	}{
		{text: "plain\n", colour: true, want: "plain\n"},
		{text: "Thread 0 (crashed)\n 0  app", colour: true, want: "\x1b[1mThread 0 (crashed)\x1b[0m\n 0  app"},
		{text: "Thread 0 (crashed)\n", want: "Thread 0 (crashed)\n"},
		{text: "Thread \x1b[2J\x1b]0;title\a\n", colour: true, want: "\x1b[1mThread \\x1b[2J\\x1b]0;title\\x07\x1b[0m\n"},
		{text: "a\u009b2Jb\rc\td\n", want: "a\\u009b2Jb\\x0dc        d\n"},
	} {
		if got := shown(tt.text, tt.colour); got != tt.want {
			t.Errorf("%q, colour %v: %q, want %q", tt.text, tt.colour, got, tt.want)
		}
	}
}
