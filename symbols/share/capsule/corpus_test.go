package capsule_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/core/testkit/sample"
	"crashglass/symbols"
	"crashglass/symbols/share/capsule"
	"crashglass/symbols/share/slice"
)

const corpus = "../../../../shared/corpus/"

// groups are the dumps of the corpora, with the folders of their symbols.
var groups = []struct {
	name, dumps string
	symbols     func(dump string) string
	programs    bool // the symbols are programs and debug files
}{
	{name: "real", dumps: "real/dumps/*.dmp", symbols: func(string) string { return corpus + "real/symbols" }, programs: false},
	{name: "public", dumps: "public/dumps/*/*.dmp", symbols: func(dump string) string { return corpus + "public/symbols/" + filepath.Base(filepath.Dir(dump)) }, programs: false},
	{name: "vectors", dumps: "vectors/*/*.dmp", symbols: func(dump string) string { return filepath.Join(filepath.Dir(dump), "symbols") }, programs: false},
	{name: "real, by programs", dumps: "real/dumps/*.dmp", symbols: func(string) string { return corpus + "real/native" }, programs: true},
	{name: "variables, by programs", dumps: "vars/dumps/*.dmp", symbols: func(string) string { return corpus + "vars/native" }, programs: true},
}

// sliced are the fields of a report, and all below them, that slices of symbol files change, with the reasons.
var sliced = map[string]string{
	".modules[].symbols":                 "they are other files",
	".wanted_symbols[].state":            "a symbol file of another build is in no slice",
	".wanted_symbols[].why":              "the same",
	".threads[].frames[].code_start":     "an unwind rule of a slice covers one address",
	".threads[].frames[].name_certainty": "the same: \"covered\" by rules becomes \"inside\" by the size, both certain",
	".threads[].frames[].line_offset":    "lines that were not queried are missing, and neighbours with one number are joined",
}

// withoutPrograms are those that change, too, where the symbols were programs and debug files. The command names the dumps
// whose verdict, signature or stacks differ.
var withoutPrograms = map[string]string{
	".crash_info":            "the failing instruction, if the dump lacks it",
	".verdict":               "what is concluded from it",
	".next_steps":            "the same",
	".hang":                  "variables of locks",
	".threads[].waits":       "the same",
	".threads[].state":       "the same",
	".threads[].frame_count": "a walk reads code",
	".threads[].frames":      "the same, and names have no suffix of a clone and no linkage name",
	".wanted_symbols":        "other frames",
}

// Reports with slices differ from those with all symbols in what is listed only.
func TestSlicesShowTheSame(t *testing.T) {
	each(t, func(t *testing.T, s *analyze.Session, whole *symbols.Store, programs bool) {
		files, before, err := capsule.Symbols(s, whole, slice.AllNames, nil)
		if err != nil {
			t.Fatal(err)
		}
		after := reported(t, s, store(t, folder(files)))
		differences("", generic(t, before), generic(t, after), func(field, was, is string) {
			if !listed(sliced, field) && !(programs && listed(withoutPrograms, field)) {
				t.Errorf("%s was %s and is %s", field, was, is)
			}
		})
		if was, is := first(before), first(after); was != is && !programs {
			t.Errorf("all symbols show\n%s\nand slices\n%s", was, is)
		}
	})
}

// A capsule shows what its dump showed with all symbols: it has the code that slices lack.
func TestCapsulesShowTheSame(t *testing.T) {
	each(t, func(t *testing.T, s *analyze.Session, whole *symbols.Store, _ bool) {
		before := reported(t, s, whole)
		r, err := sanitize.Clean(s, whole, sanitize.Options{Names: true})
		if err != nil {
			t.Fatal(err)
		}
		var k capsule.Capsule
		files, _, err := k.SymbolsOf(r.Data, whole, slice.AllNames)
		if err != nil {
			t.Fatal(err)
		}
		clean, err := analyze.Open(bin.NewSource(bytes.NewReader(r.Data), int64(len(r.Data))))
		if err != nil {
			t.Fatal(err)
		}
		after := reported(t, clean, store(t, folder(files)))
		if was, is := first(before), first(after); was != is && len(r.Changed) == 0 { // what changes is said
			t.Errorf("the dump shows\n%s\nand its capsule\n%s", was, is)
		}
		if was, is := slice.Stacks(before, true, nil), slice.Stacks(after, true, nil); !slices.Equal(was, is) && len(r.Changed) == 0 {
			t.Errorf("the dump shows\n%s\nand its capsule\n%s", was, is)
		}
	})
}

// each calls check for the dumps of the corpora.
func each(t *testing.T, check func(t *testing.T, s *analyze.Session, whole *symbols.Store, programs bool)) {
	found := 0
	for _, g := range groups {
		dumps, _ := filepath.Glob(corpus + g.dumps)
		found += len(dumps)
		for _, path := range sample.Members(dumps) {
			t.Run(g.name+"/"+filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
				if strings.Contains(path, "microdump") {
					t.Skip("a log")
				}
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				s, err := analyze.Open(bin.NewSource(bytes.NewReader(data), int64(len(data))))
				if err != nil {
					t.Skip(err)
				}
				check(t, s, store(t, os.DirFS(g.symbols(path))), g.programs)
			})
		}
	}
	if found == 0 {
		t.Skip("no ../shared/corpus beside the project")
	}
}

func reported(t *testing.T, s *analyze.Session, syms analyze.Symbols) *report.Report {
	t.Helper()
	r, err := s.Report(syms, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// first is what is seen first of a report: the headline, the system, and the number of guesses.
func first(r *report.Report) string {
	sys, guesses := &r.SystemInfo, 0
	for i := range r.Threads {
		for n := range r.Threads[i].Frames {
			if r.Threads[i].Frames[n].Guess {
				guesses++
			}
		}
	}
	return fmt.Sprintf("%s %s; %s %s %s; %d guesses", slice.Headline(r, true, nil), r.Verdict.Finding,
		report.Text(sys.OS), report.Text(sys.OSVersion), report.Text(sys.CPU), guesses)
}

// listed reports whether a table has a field, or what it is in.
func listed(table map[string]string, field string) bool {
	for at := range table {
		if rest, ok := strings.CutPrefix(field, at); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// folder is a folder with the files of a capsule.
func folder(files []capsule.File) fstest.MapFS {
	out := fstest.MapFS{}
	for _, f := range files {
		out[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return out
}

func store(t *testing.T, folder fs.FS) *symbols.Store {
	s := symbols.NewStore(symbols.Options{})
	t.Cleanup(func() { _ = s.Close() })
	s.AddFS("", folder)
	return s
}

// generic is a report as its JSON has it.
func generic(t *testing.T, r *report.Report) (out any) {
	t.Helper()
	data, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// differences calls say for the fields in which two reports differ. The crashing thread is one of the threads.
func differences(field string, a, b any, say func(field, was, is string)) {
	if reflect.DeepEqual(a, b) || field == ".crashing_thread" {
		return
	}
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			for k := range x {
				differences(field+"."+k, x[k], y[k], say)
			}
			for k := range y {
				if _, both := x[k]; !both {
					differences(field+"."+k, nil, y[k], say)
				}
			}
			return
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				differences(field+"[]", x[i], y[i], say)
			}
			return
		}
	}
	say(field, fmt.Sprintf("%.200v", a), fmt.Sprintf("%.200v", b))
}
