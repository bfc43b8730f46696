package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/report/render"
	"crashglass/symbols"
)

// A sole is a dump with its symbols, and the report of a process that reads nothing else.
type sole struct{ dump, symbols, report string }

// A report depends on its dump and its symbols, and not on what was read before: neither through
// variables of packages nor through a store that several dumps share.
func TestCompany(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("WebAssembly in Node starts no processes")
	}
	var all []sole
	for _, path := range classDumps(t) {
		all = append(all, longNamed(t, path))
	}
	if dumps, _ := filepath.Glob(corpus + "/real/dumps/*.dmp"); !testing.Short() {
		for _, path := range dumps {
			all = append(all, sole{dump: path, symbols: corpus + "/real/symbols"})
		}
	}
	for i := range all {
		all[i].report = fresh(t, "--symbols", all[i].symbols, all[i].dump)
	}
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 2 {
		for _, i := range rnd.Perm(len(all)) {
			if got, _, _ := crashglass("walk", "--format", "json", "--symbols", all[i].symbols, all[i].dump); got != all[i].report {
				t.Errorf("%s has another report after others: %s", all[i].dump, difference(got, all[i].report))
			}
		}
	}
	for range 60 {
		one, other := &all[rnd.IntN(len(all))], &all[rnd.IntN(len(all))]
		shared := storeOf(one, other)
		for _, s := range []*sole{one, other, one} {
			if got, want := reportOf(t, shared, s.dump), reportOf(t, storeOf(one, other), s.dump); got != want {
				t.Errorf("%s has another report in the company of %s and %s: %s", s.dump, one.dump, other.dump, difference(got, want))
			}
		}
	}
}

// classDumps are the small dumps of all classes.
func classDumps(t *testing.T) []string {
	paths, err := filepath.Glob("../../core/dump/*/testdata/classes/*")
	if err != nil || len(paths) < 50 {
		t.Fatalf("%d dumps, %v", len(paths), err)
	}
	return paths
}

// longNamed writes symbols of a dump's modules: a name of about 8 KB at each frame's address, which
// no other dump has.
func longNamed(t *testing.T, path string) sole {
	t.Helper()
	var r struct {
		Modules []struct {
			DebugFile string `json:"debug_file"`
			DebugID   string `json:"debug_id"`
		}
		Threads []struct {
			Frames []struct {
				ModuleIndex  *int   `json:"module_index"`
				ModuleOffset string `json:"module_offset"`
			}
		}
	}
	if err := json.Unmarshal([]byte(fresh(t, path)), &r); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i, m := range r.Modules {
		text := fmt.Sprintf("MODULE Linux x86_64 %s %s\n", m.DebugID, m.DebugFile)
		for _, thread := range r.Threads {
			for n, f := range thread.Frames {
				if f.ModuleIndex != nil && *f.ModuleIndex == i {
					own := fmt.Sprintf("f%02d%s", n, strings.ReplaceAll(filepath.Base(path), ".", "_"))
					text += fmt.Sprintf("PUBLIC %s 0 _Z%d%sSt5tupleIJ%sEE\n", strings.TrimPrefix(f.ModuleOffset, "0x"), len(own), own, strings.Repeat("St6vectorIiSaIiEE", 470))
				}
			}
		}
		file(t, dir, m.DebugFile+".sym", []byte(text))
	}
	return sole{dump: path, symbols: dir}
}

// fresh is what walk writes in a process of its own.
func fresh(t *testing.T, args ...string) string {
	t.Helper()
	process := exec.Command(os.Args[0], append([]string{"walk", "--format", "json"}, args...)...)
	process.Env = append(os.Environ(), asProgram+"=1")
	out, err := process.Output()
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return string(out)
}

// storeOf has the symbols of dumps.
func storeOf(all ...*sole) *symbols.Store {
	store := symbols.NewStore(symbols.Options{})
	for _, s := range all {
		store.AddFS("", os.DirFS(s.symbols))
	}
	return store
}

// reportOf is the JSON of a dump's report.
func reportOf(t *testing.T, store *symbols.Store, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, s := range sessions {
		r, err := s.Report(store, analyze.Options{})
		if err == nil {
			err = render.JSON(&out, r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// difference shows where two texts begin to differ.
func difference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	from := max(at-40, 0)
	return fmt.Sprintf("%.120q, want %.120q", a[from:], b[from:])
}
