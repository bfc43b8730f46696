package main

import "testing"

// Cells that begin alike show what differs; others show their beginning.
func TestDiffering(t *testing.T) {
	rows := [][]string{{"Signature"}, {"app!very::long::name::space::f(int)"}, {"app!very::long::name::space::g(int)"}, {"app!very::long::name::space::g(int)"}, {"app!another::long::name::of::a::function"}, {"short"}}
	differing(rows, 0, 24)
	for i, want := range []string{"Signature", "app!ve…me::space::f(int)", "app!ve…me::space::g(int)", "app!ve…me::space::g(int)", "app!another::long::name…", "short"} {
		if got := rows[i][0]; got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	for _, tt := range []struct {
		text         string
		alike, width int
		want         string
	}{
		{"abcdefghij", 9, 0, "abcdefghij"}, {"abcdefghij", 9, 1, "abcdefghij"}, {"abcdefghij", 0, 5, "abcd…"}, {"abcdefghijklmnopqrst", 19, 8, "ab…pqrst"},
	} {
		if got := elided(tt.text, tt.alike, tt.width); got != tt.want {
			t.Errorf("%s, %d, %d: %q, want %q", tt.text, tt.alike, tt.width, got, tt.want)
		}
	}
}
