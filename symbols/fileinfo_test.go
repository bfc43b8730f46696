package symbols

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Symbols without a dump are listed with what each is, holds and lacks.
func TestGiven(t *testing.T) {
	s := NewStore(Options{})
	s.Add("app.sym", source(sym(idA, "app")))
	s.Add("cut.sym", source(sym(idB, "cut", "FUNC 2000 10 0 g\n", "FUNC 3000 10")))
	s.Add("empty.sym", source(""))
	var got []string
	for _, g := range s.Files() {
		flaw := "-"
		if g.Flaw != nil {
			flaw = *g.Flaw
		}
		got = append(got, fmt.Sprintf("%s | %s | %d %s %s %s | %s | %s", g.Name, g.Kind, g.Module, g.DebugFile, g.DebugID, g.CPU, strings.Join(g.Holds, ", "), flaw))
	}
	want := []string{
		"app.sym | a Breakpad symbol file | 0 app " + idA + " x86_64 | functions, lines | -",
		"cut.sym | a Breakpad symbol file | 1 cut " + idB + " x86_64 | functions, lines | seems to be cut short: its last line has no end; has one odd record, in line 7: FUNC is malformed",
		"empty.sym |  | -1    |  | is empty",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// A native file without a dump is written as a Breakpad symbol file.
func TestGivenNative(t *testing.T) {
	s := NewStore(Options{})
	data, err := os.ReadFile("testdata/embedded.elf")
	if err != nil {
		t.Fatal(err)
	}
	s.Add("embedded.elf", source(string(data)))
	files := s.Files()
	if len(files) != 1 || !files[0].Convertible || files[0].Module != 0 {
		t.Fatalf("%+v", files)
	}
	var text strings.Builder
	mods := s.Modules()
	if err := s.Export(&text, &mods[files[0].Module]); err != nil || !strings.HasPrefix(text.String(), "MODULE ") {
		t.Errorf("%v, %.40q", err, text.String())
	}
}

// A report says in which line a file is damaged, and whether it ends there.
func TestDamageLine(t *testing.T) {
	tests := []struct{ lines, want string }{
		{"FUNC bad\n", "line 6, 1 left out, truncated false"},
		{"noise\nnoise\n", "line 6, 2 left out, truncated false"},
		{"FUNC 2000 10 0 g\nFUNC 3000 10", "line 7, 1 left out, truncated true"},
		{"FUNC 2000 20 0 g\nFUNC 2010 8 0 h\n", "none"},        // overlaps are no damage: both are used
		{"PUBLIC m 0 0 _mh_execute_header\n", "none"},          // dump_syms writes it of every program of macOS
		{"FUNC 2000 0 0 g\nSTACK CFI INIT 2000 0 x\n", "none"}, // of no code, and no reader uses it
		{"FUNC 2000 20 0 g\nFUNC 2010 8 0 h\nFUNC bad\n", "line 8, 1 left out, truncated false"},
		{"", "none"},
	}
	for _, tt := range tests {
		s := NewStore(Options{})
		s.Add("app.sym", source(sym(idA, "app", tt.lines)))
		_, state := s.For(app(idA))
		got := "none"
		if d := state.Damage; d != nil {
			got = fmt.Sprintf("line %d, %d left out, truncated %v", d.Line, d.Records, d.Truncated)
		}
		if got != tt.want {
			t.Errorf("%q: %s, want %s", tt.lines, got, tt.want)
		}
	}
}
