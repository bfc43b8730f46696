package symbols

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

func testfile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestLibrariesInAnArchive has room for one of the two libraries in a zip file
// at a time: that one which a module asks for is unpacked, and only once.
func TestLibrariesInAnArchive(t *testing.T) {
	data := zipped("one/dwz.elf", testfile(t, "dwz.elf"), "two/split.elf", testfile(t, "split.elf"))
	s := NewStore(Options{Limits: archive.Limits{Total: 1<<20 + 3000}})
	if got, want := items(s.Add("a.zip", source(data))), "a.zip/one/dwz.elf is ELF symbols in a.zip\na.zip/two/split.elf is ELF symbols in a.zip"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	m := s.Modules()[0]
	for range 3 {
		if src, st := s.For(&m); src == nil || st.State != report.SymbolsMatched {
			t.Errorf("%+v", st)
		}
	}
}

// inflated is eighty megabytes with a library in front.
func inflated(library string) string { return library + strings.Repeat("\x00", 80<<20) }

// TestLibraryBombs refuses what is far larger than its archive, and says so.
func TestLibraryBombs(t *testing.T) {
	library := testfile(t, "dwz.elf")
	for name, data := range map[string]string{
		"a.zip":    zipped("a.so", inflated(library)),
		"a.pdb.gz": gzipped(inflated("Microsoft C/C++ MSF 7.00\r\n\x1aDS")),
	} {
		got := items(NewStore(Options{}).Add(name, source(data)))
		if !strings.Contains(got, "this cannot be read: archive: ") || !strings.HasSuffix(got, "a decompression bomb") {
			t.Errorf("%s: %s", name, got)
		}
	}
	nested := gzipped(gzipped(library))
	if got, want := items(NewStore(Options{}).Add("a.gz.gz", source(nested))), "a.gz.gz/a.gz/a is ELF symbols in a.gz.gz>a.gz"; got != want {
		t.Errorf("nested: got %s, want %s", got, want)
	}
	if got, want := items(NewStore(Options{}).Add("a.gz", source(gzipped(nested)))), "this is an archive in an archive in an archive: unpack it first"; !strings.Contains(got, want) {
		t.Errorf("nested deeper: got %s", got)
	}
}

// TestForcedCode does not take the code of another build for the module's, even
// where a person insists on its names.
func TestForcedCode(t *testing.T) {
	s := NewStore(Options{})
	s.Add("dwz.elf", testdata(t, "dwz.elf"))
	m := s.Modules()[0]
	var p [8]byte
	src, st := s.For(&m)
	if !st.Code || src.ReadImage(0, p[:]) == 0 {
		t.Errorf("its own build: no code, %+v", st)
	}
	m.DebugFile, m.DebugID, m.CodeID = "dwz.elf", idA, ""
	s.Force(m.DebugFile, m.DebugID, true)
	src, st = s.For(&m)
	if src == nil || st.State != report.SymbolsWrongBuild || st.Code {
		t.Fatalf("%+v", st)
	}
	if n := src.ReadImage(0, p[:]); n != 0 {
		t.Errorf("another build: %d bytes of code", n)
	}
}

// TestSplitPackageInFolder finds a .dwp beside the program in a folder.
func TestSplitPackageInFolder(t *testing.T) {
	s := NewStore(Options{})
	s.Add("split.elf", testdata(t, "split.elf"))
	m := s.Modules()[0]
	m.CodeFile = "/bin/split.elf"
	s.AddFS("debug", fstest.MapFS{"split.elf.dwp": {Data: []byte(testfile(t, "split-one.dwo"))}})
	checkInlined(t, s, &m)
}

// TestExportOfLinked has the id of the program in the symbol file, where the
// debug information says none.
func TestExportOfLinked(t *testing.T) {
	program := &file{name: "app", kind: sniff.ELF, reader: &guarded{Reader: &part{Has: formats.Has{Frames: true}, cfa: "$rsp 8 +"}}, build: formats.Build{ID: idA, CodeID: "aa"}, id: idOf(idA)}
	debug := &file{name: "app.debug", kind: sniff.ELF, reader: &guarded{Reader: &part{Has: formats.Has{Functions: true}, name: "f", size: 8}}}
	program.reader.f, debug.reader.f = program, debug
	if got := join([]*file{debug, program}).module(); got.ID != idA || got.CodeID != "AA" {
		t.Errorf("%+v", got)
	}
}

// TestExportNothing fails in one line for a module without files.
func TestExportNothing(t *testing.T) {
	var out bytes.Buffer
	err := NewStore(Options{}).Export(io.Writer(&out), &module.Module{DebugFile: "app"})
	if err == nil || out.Len() > 0 || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, %q", err, out.String())
	}
}
