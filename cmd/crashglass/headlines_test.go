package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var updateHeadlines = flag.Bool("update-headlines", false, "write the headlines of the corpus anew; read the difference before committing it")

// headlines has the first sentence about each dump of the corpus, with symbols and without.
const headlines = "testdata/headlines.txt"

// The first sentence about every dump stays the same, unless the difference was read and is
// intended.
func TestHeadlines(t *testing.T) {
	var b strings.Builder
	for _, s := range samples(t) {
		bare := s
		bare.symbols = nil
		fmt.Fprintf(&b, "%s\n  %s\n", s.name, headline(t, &s))
		if line := headline(t, &bare); line != headline(t, &s) {
			fmt.Fprintf(&b, "  without symbols: %s\n", line)
		}
	}
	if *updateHeadlines {
		if err := os.WriteFile(headlines, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(headlines)
	if err != nil {
		t.Fatal(err)
	}
	have, old := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(have), len(old)) {
		if i >= len(have) || i >= len(old) || have[i] != old[i] {
			t.Fatalf("line %d differs (go test -update-headlines, then read the difference):\n have %q\n want %q", i+1, line(have, i), line(old, i))
		}
	}
}

func line(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// headline is the first sentence about a dump.
func headline(t *testing.T, s *sample) string {
	var r struct {
		Verdict struct {
			What      string
			Where, At *string
			Guess     bool
		}
	}
	if err := json.Unmarshal(s.walk(t, "json"), &r); err != nil {
		t.Fatal(err)
	}
	text := r.Verdict.What
	if r.Verdict.Where != nil {
		text += map[bool]string{false: " in ", true: ", probably in "}[r.Verdict.Guess] + *r.Verdict.Where
	}
	if r.Verdict.At != nil {
		text += " at " + *r.Verdict.At
	}
	return text
}
