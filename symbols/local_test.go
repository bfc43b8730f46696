package symbols

import (
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// A testMachine has files, and tries all of them in the order of their paths. Those below "slow" are slow to find.
type testMachine struct {
	fstest.MapFS
	tried  []string
	closed int
}

func (l *testMachine) Paths(_ *module.Module, slow bool) iter.Seq2[string, report.Place] {
	return func(yield func(string, report.Place) bool) {
		var names []string
		for name := range l.MapFS {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range append(names, "missing") {
			if (path.Dir(name) == "slow") == slow && !yield(name, report.Place(path.Dir(name))) {
				return
			}
		}
	}
}

// Open counts.
func (l *testMachine) Open(name string) (fs.File, error) {
	l.tried = append(l.tried, name)
	f, err := l.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	return closing{f, &l.closed}, nil
}

type closing struct {
	fs.File
	closed *int
}

func (c closing) Close() error { *c.closed++; return c.File.Close() }

func (c closing) ReadAt(p []byte, off int64) (int, error) {
	return c.File.(interface {
		ReadAt([]byte, int64) (int, error)
	}).ReadAt(p, off)
}

// onMachine is a store with files of testdata on the machine, by their paths there.
func onMachine(t *testing.T, files map[string]string) (*Store, *testMachine) {
	t.Helper()
	l := &testMachine{MapFS: fstest.MapFS{}}
	for at, name := range files {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		l.MapFS[at] = &fstest.MapFile{Data: data}
	}
	s := NewStore(Options{Local: l})
	t.Cleanup(func() { s.Close() })
	return s, l
}

// identityOf is the module of a file of testdata.
func identityOf(t *testing.T, name string) *module.Module {
	t.Helper()
	s := NewStore(Options{})
	s.Add(name, testdata(t, name))
	return programOf(s)
}

// A program on the machine is used with its parts, and the state says where they were. The files of other modules are
// closed again.
func TestLocal(t *testing.T) {
	for _, tt := range []struct{ program, part, other string }{{"dwz.elf", "dwz.sup", "split.elf"}, {"split.elf", "split.dwp", "dwz.elf"}} {
		m := identityOf(t, tt.program)
		s, l := onMachine(t, map[string]string{"recorded_path/app": tt.program, "debug_folder/part": tt.part, "beside/other": tt.other})
		checkInlined(t, s, m)
		_, state := s.For(m)
		want := []report.LocalFile{{File: "recorded_path/app", Place: report.AtRecordedPath}, {File: "debug_folder/part", Place: report.InDebugFolder}}
		if state.State != report.SymbolsMatched || !slices.Equal(state.Local, want) {
			t.Errorf("%s: state %+v, want the files %v", tt.program, state, want)
		}
		if l.closed == 0 {
			t.Errorf("%s: the file of another module stays open", tt.program)
		}
		tried := len(l.tried)
		if s.For(m); len(l.tried) != tried {
			t.Errorf("%s: the second answer opened %v", tt.program, l.tried[tried:])
		}
	}
}

// Without an ID, or with another one, no file of the machine is used, and no file of a module without an ID is opened.
func TestLocalNeedsID(t *testing.T) {
	right := *identityOf(t, "embedded.elf")
	right.CodeFile, right.DebugFile = "/bin/app", "app"
	files := map[string]string{"recorded_path/app": "embedded.elf"}
	other, byName, without := right, right, right
	other.DebugID, other.CodeID = "00112233445566778899AABBCCDDEEFF0", "00112233"
	byName.ByName, byName.DebugID, byName.CodeID = true, "", ""
	without.DebugID, without.CodeID = "000000000000000000000000000000000", ""
	for name, m := range map[string]module.Module{"another ID": other, "by name": byName, "no ID": without} {
		s, l := onMachine(t, files)
		if src, state := s.For(&m); src != nil || state.State != report.SymbolsMissing || len(state.Local) > 0 {
			t.Errorf("%s: state %+v", name, state)
		}
		if name != "another ID" && len(l.tried) > 0 {
			t.Errorf("%s: opened %v", name, l.tried)
		}
	}
	s, _ := onMachine(t, files)
	if src, state := s.For(&right); src == nil || len(state.Local) != 1 {
		t.Errorf("the right ID: state %+v", state)
	}
}

// A given file of the build is the first one, and one of the machine is used only for what the given one lacks.
func TestGivenBeforeLocal(t *testing.T) {
	m := identityOf(t, "embedded.elf")
	s, _ := onMachine(t, map[string]string{"recorded_path/app": "embedded.elf"})
	s.Add("given.elf", testdata(t, "embedded.elf"))
	if _, state := s.For(m); state.File == nil || *state.File != "given.elf" || len(state.Local) > 0 {
		t.Errorf("state %+v", state)
	}
}

// Places that take time are searched only for a module without lines.
func TestSlowPlaces(t *testing.T) {
	m := identityOf(t, "embedded.elf")
	s, l := onMachine(t, map[string]string{"slow/app": "embedded.elf"})
	if _, state := s.For(m); len(state.Local) != 1 || state.Local[0].Place != "slow" {
		t.Errorf("state %+v", state)
	}
	s, l = onMachine(t, map[string]string{"slow/app": "embedded.elf", "beside/app": "embedded.elf"})
	if _, state := s.For(m); len(state.Local) != 1 || slices.Contains(l.tried, "slow/app") {
		t.Errorf("state %+v, tried %v", state, l.tried)
	}
}

// A recordedMachine finds the path that is asked for, and nothing else.
type recordedMachine struct{ *testMachine }

func (l recordedMachine) Paths(m *module.Module, slow bool) iter.Seq2[string, report.Place] {
	return func(yield func(string, report.Place) bool) {
		if !slow {
			_ = yield(m.CodeFile, report.AtRecordedPath) && yield("elsewhere", report.BesideIt)
		}
	}
}

func (l recordedMachine) Open(name string) (fs.File, error) {
	return l.testMachine.Open(strings.TrimPrefix(name, "/"))
}

// Split DWARF and object files are used where the compiler wrote them, or beside the program.
func TestRecordedParts(t *testing.T) {
	m := identityOf(t, "split.elf")
	m.CodeFile = "/opt/app/split.elf"
	units, err := formats.PartsOf(sniff.ELF, formats.Build{}, formats.Input{Source: testdata(t, "split.elf")})
	if err != nil || len(units) != 1 || units[0].Path == "" {
		t.Fatalf("units %+v, %v", units, err)
	}
	for at, want := range map[string]int{units[0].Path: 1, "/opt/app/" + path.Base(units[0].Path): 1, "/elsewhere/" + path.Base(units[0].Path): 0} {
		s, l := onMachine(t, map[string]string{"opt/app/split.elf": "split.elf", strings.TrimPrefix(at, "/"): "split-one.dwo"})
		s.opt.Local = recordedMachine{l}
		s.local = s.newMachine()
		if want > 0 {
			wantInlined(t, s, m, want)
		}
		if _, state := s.For(m); len(state.Local) != 1+want || len(state.Also) != want {
			t.Errorf("%s: local files %+v", at, state.Local)
		}
	}
}
