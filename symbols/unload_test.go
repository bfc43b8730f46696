package symbols

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/archives/archive"
)

// Files that serve no module of the open dumps take no memory, wherever they are, and answer again
// when they are needed.
func TestUnload(t *testing.T) {
	fill := func(id, name string) string { return sym(id, name, strings.Repeat("PUBLIC 2000 0 filler\n", 1<<17)) }
	for name, add := range map[string]func(s *Store){
		"in place": func(s *Store) { s.Add("a.sym", source(fill(idA, "app"))); s.Add("b.sym", source(fill(idB, "lib"))) },
		"in a zip": func(s *Store) { s.Add("x.zip", source(zipped("a.sym", fill(idA, "app"), "b.sym", fill(idB, "lib")))) },
		"one by one": func(s *Store) {
			s.Add("a.sym.gz", source(gzipped(fill(idA, "app"))))
			s.Add("b.sym.gz", source(gzipped(fill(idB, "lib"))))
		},
		"in a folder": func(s *Store) {
			s.AddFS("", fstest.MapFS{
				"app/" + idA + "/app.sym.gz": {Data: []byte(gzipped(fill(idA, "app")))},
				"lib/" + idB + "/lib.sym.gz": {Data: []byte(gzipped(fill(idB, "lib")))},
			})
		},
	} {
		s := NewStore(Options{Limits: archive.Limits{Total: 12 << 20}})
		add(s)
		first, second := app(idA), &module.Module{DebugFile: "lib", DebugID: idB}
		a, b := summary(s.For(first)), summary(s.For(second))
		if !strings.HasPrefix(a, report.SymbolsMatched) || !strings.HasPrefix(b, report.SymbolsMatched) {
			t.Fatalf("%s: %s; %s", name, a, b)
		}
		source, _ := s.For(first)
		if got := s.Unload([]module.Module{*first}); len(got) != 1 || strings.Contains(got[0], "a") {
			t.Errorf("%s: unloaded %q, want the one of lib", name, got)
		}
		if loc, ok := source.Locate(0x1004); !ok || loc.Function != "app_function" {
			t.Errorf("%s: the file that is in use says %+v", name, loc)
		}
		for range 20 { // all of them together would be too much for the budget
			if got := summary(s.For(second)); got != b {
				t.Fatalf("%s: again %s, want %s", name, got, b)
			}
			s.Unload([]module.Module{*first})
		}
		s.Unload(nil)
		if n := loaded(s); n != 0 {
			t.Errorf("%s: %d files are loaded, and nothing is open", name, n)
		}
	}
}

// fileName is the file of a summary.
func fileName(summary string) string { return strings.Split(summary, " | ")[1] }

// loaded is how many files of a store take memory.
func loaded(s *Store) (n int) {
	files := slices.Clone(s.files)
	for _, d := range s.folders {
		for _, f := range d.files {
			files = append(files, f...)
		}
	}
	for _, f := range files {
		if f.reader != nil || f.content != nil && f.content.data.Size() > 0 {
			n++
		}
	}
	return n
}
