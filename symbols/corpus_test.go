package symbols

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
)

const corpus = "../../shared/corpus"

// expected is the part of rust-minidump's JSON that symbols decide.
type expected struct {
	Modules []struct {
		DebugFile string `json:"debug_file"`
		DebugID   string `json:"debug_id"`
		CodeID    string `json:"code_id"`
		Filename  string `json:"filename"`
	} `json:"modules"`
	Threads []struct {
		Frames []expectedFrame `json:"frames"`
	} `json:"threads"`
}

type expectedFrame struct {
	Module       *string `json:"module"`
	ModuleOffset *string `json:"module_offset"`
	Function     *string `json:"function"`
	File         *string `json:"file"`
	Line         *uint32 `json:"line"`
	Inlines      []struct {
		Function *string `json:"function"`
		File     *string `json:"file"`
		Line     *uint32 `json:"line"`
	} `json:"inlines"`
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// TestCorpusNames asks for every frame that rust-minidump found in the
// corpora, and expects the names, files, lines and inlined calls that it has.
func TestCorpusNames(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus: ", err)
	}
	var reports []string
	for _, pattern := range []string{"public/expected/*.rust.json", "real/expected/*.rust.json", "vectors/*/rust.json"} {
		found, err := filepath.Glob(filepath.Join(corpus, pattern))
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, found...)
	}
	named, lines, inlines := 0, 0, 0
	for _, file := range reports {
		n := compareReport(t, file)
		named, lines, inlines = named+n[0], lines+n[1], inlines+n[2]
	}
	t.Logf("%d reports: %d names, %d lines, %d inlined calls", len(reports), named, lines, inlines)
	if named < 500 || lines < 200 || inlines < 20 {
		t.Errorf("only %d names, %d lines and %d inlined calls in %d reports", named, lines, inlines, len(reports))
	}
}

// folders are the symbols that the report of a file was made with.
func folders(file string) []string {
	dir := filepath.Dir(file)
	if filepath.Base(file) == "rust.json" {
		return []string{filepath.Join(dir, "symbols")}
	}
	root := filepath.Dir(dir)
	project, _, _ := strings.Cut(filepath.Base(file), "__")
	return []string{filepath.Join(root, "symbols", project), filepath.Join(root, "symbols")}
}

func compareReport(t *testing.T, file string) (n [3]int) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r expected
	if err := json.Unmarshal(data, &r); err != nil {
		return n // what it could not read is no JSON
	}
	store := NewStore(Options{})
	defer store.Close()
	for _, dir := range folders(file) {
		store.AddFS(dir, os.DirFS(dir))
	}
	modules := map[string]*module.Module{}
	for _, m := range r.Modules {
		modules[m.Filename] = &module.Module{DebugFile: m.DebugFile, DebugID: m.DebugID, CodeFile: m.Filename, CodeID: m.CodeID}
	}
	for _, th := range r.Threads {
		for i, f := range th.Frames {
			m := modules[value(f.Module)]
			if m == nil || f.Function == nil || f.ModuleOffset == nil {
				continue
			}
			src, st := store.For(m)
			if src == nil {
				t.Errorf("%s frame %d: rust-minidump has %s, but we have no symbols: %s", filepath.Base(file), i, *f.Function, summary(nil, st))
				continue
			}
			rel, err := strconv.ParseUint(strings.TrimPrefix(*f.ModuleOffset, "0x"), 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			loc, _ := src.Locate(rel)
			if complaint := differs(loc, f); complaint != "" {
				t.Errorf("%s frame %d, %s+%#x: %s", filepath.Base(file), i, *f.Module, rel, complaint)
			}
			n[0]++
			n[2] += len(loc.Inlines)
			if loc.Line != 0 {
				n[1]++
			}
		}
	}
	return n
}

func differs(loc symbolize.Location, f expectedFrame) string {
	got := []string{loc.Function, loc.File, strconv.Itoa(int(loc.Line))}
	want := []string{value(f.Function), value(f.File), strconv.Itoa(int(value(f.Line)))}
	for _, in := range loc.Inlines {
		got = append(got, in.Function, in.File, strconv.Itoa(int(in.Line)))
	}
	for _, in := range f.Inlines {
		want = append(want, value(in.Function), value(in.File), strconv.Itoa(int(value(in.Line))))
	}
	if g, w := strings.Join(got, " "), strings.Join(want, " "); g != w {
		return "got " + g + ", rust-minidump has " + w
	}
	return ""
}
