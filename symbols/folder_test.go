package symbols

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

const builds, names = 4, 1000

// storeOf is a store of a thousand modules in four builds each.
func storeOf(path func(name, id string) string) fstest.MapFS {
	out := fstest.MapFS{}
	for n := range names {
		for b := range builds {
			name := fmt.Sprintf("m%d.pdb", n)
			id := fmt.Sprintf("%032X%X", n+1, b+1)
			out[path(name, id)] = &fstest.MapFile{Data: []byte(sym(id, name))}
		}
	}
	return out
}

// listed counts the folders that were listed.
type listed struct {
	*counted
	folders []string
}

func (l *listed) ReadDir(name string) ([]fs.DirEntry, error) {
	l.folders = append(l.folders, name)
	return fs.ReadDir(l.MapFS, name)
}

// TestThousandsOfFiles asks a large store for a few modules, in each layout:
// it opens what is wanted, lists no folder twice, and looks into none that has
// nothing to do with it.
func TestThousandsOfFiles(t *testing.T) {
	short := func(name string) string { return strings.TrimSuffix(name, ".pdb") + ".sym" }
	for layout, path := range map[string]func(name, id string) string{
		"Breakpad": func(name, id string) string { return name + "/" + id + "/" + short(name) },
		"symstore, one tier": func(name, id string) string {
			return strings.ToUpper(name) + "/" + strings.ToLower(id) + "/" + name + ".sym"
		},
		"symstore, two tier": func(name, id string) string { return name[:2] + "/" + name + "/" + id + "/" + short(name) },
		"flat":               func(name, id string) string { return short(name) }, // one build of each
	} {
		t.Run(layout, func(t *testing.T) {
			fsys := &listed{counted: &counted{MapFS: storeOf(path)}}
			s := NewStore(Options{})
			s.AddFS("S", fsys)
			var want []string
			for _, n := range []int{3, 17, 999, 3} {
				name, id := fmt.Sprintf("m%d.pdb", n), fmt.Sprintf("%032X%X", n+1, builds)
				src, st := s.For(&module.Module{CodeFile: fmt.Sprintf(`c:\m%d.exe`, n), DebugFile: name, DebugID: id})
				if src == nil || st.State != report.SymbolsMatched {
					t.Errorf("%s: %s", name, summary(src, st))
				}
				if p := path(name, id); !slices.Contains(want, p) {
					want = append(want, p)
				}
			}
			if _, st := s.For(&module.Module{DebugFile: "m5.pdb", DebugID: idA}); st.State != report.SymbolsWrongBuild {
				t.Errorf("another build: %+v", st)
			}
			if layout == "flat" { // where nothing but the file says which build it is
				want = append(want, path("m5.pdb", ""))
			}
			if _, st := s.For(&module.Module{DebugFile: "nobody.pdb", DebugID: idA}); st.State != report.SymbolsMissing {
				t.Errorf("nobody: %+v", st)
			}
			if !slices.Equal(fsys.opened, want) {
				t.Errorf("opened %q, want %q", fsys.opened, want)
			}
			if n := len(fsys.folders); n > 40 || n != len(slices.Compact(slices.Sorted(slices.Values(fsys.folders)))) {
				t.Errorf("%d folders are listed: %q", n, fsys.folders)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestZipOfAStore drops a store as one archive.
func TestZipOfAStore(t *testing.T) {
	var members []string
	for p, f := range storeOf(func(name, id string) string { return "store/" + name + "/" + id + "/" + name + ".sym" }) {
		members = append(members, p, string(f.Data))
	}
	unpacked := map[string]int{}
	s := NewStore(Options{Progress: func(name string, done, total int64) error {
		if done > 0 {
			unpacked[name]++
		}
		return nil
	}})
	if items := s.Add("s.zip", source(zipped(members...))); len(items) != builds*names {
		t.Fatalf("%d items", len(items))
	}
	id := fmt.Sprintf("%032X%X", 18, 2)
	want := "matched | s.zip/store/m17.pdb/" + id + "/m17.pdb.sym | " + id + " | - | m17.pdb_function"
	for range 2 {
		if got := summary(s.For(&module.Module{DebugFile: "m17.pdb", DebugID: id})); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if len(unpacked) != 1 {
		t.Errorf("%d files were read whole: %v", len(unpacked), unpacked)
	}
}

// TestLevelsOfAStore gives a folder of a store in place of the store.
func TestLevelsOfAStore(t *testing.T) {
	const guid = "0102030405060708090A0B0C0D0E0F101"
	const build = "04030201060508070a0b0c0d0e0f101112131415"
	m := &module.Module{CodeFile: `c:\app.exe`, DebugFile: "app.pdb", DebugID: guid, CodeID: build}
	files := func(name string) fstest.MapFS {
		return fstest.MapFS{name: &fstest.MapFile{Data: []byte(sym(guid, "app.pdb"))}}
	}
	for _, tt := range []struct{ folder, file, state string }{
		{"symbols", "app.pdb/" + guid + "/app.sym", "matched"},
		{"symbols", "ap/app.pdb/" + guid + "/app.sym", "matched"},
		{"symbols/ap", "app.pdb/" + guid + "/app.sym", "matched"},
		{"symbols/app.pdb", guid + "/app.sym", "matched"},
		{"renamed", strings.ToLower(guid) + "/app.sym", "matched"},
		{"symbols/app.pdb/" + guid, "app.sym", "matched"},
		{"symbols/App.pdb", "FFFF0304050607080900A0B0C0D0E0F01/app.sym", "wrong_build"},
		{"usr/lib/debug/.build-id", build[:2] + "/" + build[2:] + ".debug", "matched"},
		{"usr/lib/debug/.build-id/" + build[:2], build[2:] + ".debug", "matched"},
		{"cache/" + build, "debuginfo", "matched"},
		{"cache/buildid/" + build, "executable", "matched"},
		{"cache/other", "debuginfo", "missing"},
	} {
		s := NewStore(Options{})
		s.AddFS(tt.folder, files(tt.file))
		if src, st := s.For(m); st.State != tt.state || (src != nil) != (st.State == "matched") {
			t.Errorf("%s of %s: %s", tt.file, tt.folder, summary(src, st))
		}
		if names := s.Fits(m); tt.state == "matched" && !slices.Equal(names, []string{tt.folder + "/" + tt.file}) {
			t.Errorf("%s of %s: %q fit", tt.file, tt.folder, names)
		}
	}
}
