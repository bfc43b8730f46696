package symbols

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/testkit/sample"
	"crashglass/symbols/formats/breakpad"
)

const nativeCorpus = "../../shared/corpus/public/native/"

// natives are files that belong together: what is written of them as a symbol
// file says what they say themselves.
var natives = [][]string{
	{"breakpad/dump_syms_regtest.pdb"},
	{"breakpad/dump_syms_regtest64.exe", "breakpad/dump_syms_regtest64.pdb"},
	{"breakpad/omap_reorder_funcs.pdb"},
	{"breakpad/pe_only_symbol_test.dll"},
	{"dump_syms/windows/basic32-min.pdb", "dump_syms/windows/basic32-min.dll"},
	{"dump_syms/windows/basic64.dll"},
	{"dump_syms/windows/basic64-dwarf.dll"},
	{"dump_syms/windows/mozwer.dll"},
	{"dump_syms/linux/basic.full"},
	{"dump_syms/linux/basic.stripped"},
	{"dump_syms/linux/basic.minidebuginfo"},
	{"dump_syms/linux/basic.stripped", "dump_syms/linux/basic.dbg"},
	{"symbolic/linux/crash", "symbolic/linux/crash.debug"},
	{"symbolic/linux/crash.debug-zstd"},
	{"symbolic/linux/arm64/cfi_test"},
	{"symbolic/macos/crash", "symbolic/macos/crash.dSYM/Contents/Resources/DWARF/crash"},
	{"symbolic/windows/CrashWithException.exe", "symbolic/windows/CrashWithException.pdb"},
	{"symbolic/windows/arm64/test.exe"},
}

func TestExport(t *testing.T) {
	if _, err := os.Stat(nativeCorpus); err != nil {
		t.Skip("no ../shared/corpus beside the project")
	}
	for _, files := range sample.Members(natives) {
		t.Run(strings.ReplaceAll(strings.Join(files, "+"), "/", "_"), func(t *testing.T) {
			u, text := exported(t, files)
			sym, err := breakpad.Open(source(text), breakpad.Options{})
			if err != nil || len(sym.Notes()) > 0 {
				t.Fatal(err, sym.Notes())
			}
			compareExported(t, u, sym)
		})
	}
}

// TestExportWithoutID writes the symbols of a file that does not say which build it is of: neither by a build ID nor
// by code in .text, of which an ID could be made. A dump's module without an ID gets none of them.
func TestExportWithoutID(t *testing.T) {
	data, err := os.ReadFile("testdata/split.elf")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), ".text\x00", ".tixt\x00")
	text = strings.ReplaceAll(text, ".note.gnu.build-id\x00", ".note.gnu.bolid-id\x00")
	text = strings.ReplaceAll(text, "\x03\x00\x00\x00GNU\x00", "\x03\x00\x00\x00GNV\x00")
	s := NewStore(Options{})
	s.Add("other.so", source(text))
	s.Add("lib/app", source(text))
	for i, name := range []string{"other.so", "app"} {
		var out strings.Builder
		if err := s.Export(&out, &s.Modules()[i]); err != nil || !strings.HasPrefix(out.String(),
			"MODULE Linux x86_64 "+strings.Repeat("0", 33)+" "+name+"\n") || !strings.Contains(out.String(), "\nPUBLIC ") {
			t.Errorf("module %d: %v, %.200q", i, err, out.String())
		}
	}
	m := s.Modules()[0]
	m.Base, m.Size, m.CodeFile = 0x1000, 0x1000, "/usr/bin/app"
	if err := s.Export(io.Discard, &m); err == nil {
		t.Error("the module of a dump got the symbols of some build")
	}
}

// exported opens files of one module and writes what they know.
func exported(t *testing.T, files []string) (*union, string) {
	t.Helper()
	s := NewStore(Options{})
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(nativeCorpus, f))
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range s.Add(f, source(string(data))) {
			if item.Use != IsSymbols {
				t.Fatalf("%s: %s", f, item.Message)
			}
		}
	}
	m := s.Modules()[0]
	var text strings.Builder
	if err := s.Export(&text, &m); err != nil {
		t.Fatal(err)
	}
	source, state := s.exported(&m)
	if used := 1 + len(state.Also); used != len(files) {
		t.Errorf("%d of %d files were used: %+v", used, len(files), state)
	}
	return source.(*union), text.String()
}

// compareExported asks both at the first and last address of everything that
// the source lists, and beside them.
func compareExported(t *testing.T, u *union, sym *breakpad.File) {
	t.Helper()
	wrong := 0
	functions, rows := listedAddresses(t, u)
	for _, rel := range functions {
		want, wantOK := u.Locate(rel)
		got, ok := sym.Locate(rel)
		if strings.HasPrefix(got.Function, "<unknown in ") {
			ok = false // where a function without a name begins and ends, for other programs
		}
		if (!ok || got.Public) && (!wantOK || want.Public) {
			continue // names without an end end where the section does, which a symbol file does not say
		}
		w, g := spoken(want), spoken(got)
		for i := range min(len(w.Inlines), len(g.Inlines)) {
			if want.Inlines[i].Linkage == "" { // dump_syms writes no scopes of such a function
				w.Inlines[i].Function, g.Inlines[i].Function = unscoped(w.Inlines[i].Function), unscoped(g.Inlines[i].Function)
			}
		}
		if ok != wantOK || ok && !want.Public && !reflect.DeepEqual(w, g) {
			if wrong++; wrong <= 5 {
				t.Errorf("at %#x the file says %+v, %v, and what was written of it %+v, %v", rel, w, wantOK, g, ok)
			}
		}
	}
	for _, rel := range rows {
		if complaint := sameRules(u, sym, rel); complaint != "" {
			if wrong++; wrong <= 5 {
				t.Errorf("at %#x: %s", rel, complaint)
			}
		}
	}
	if wrong > 5 {
		t.Errorf("%d addresses are different", wrong)
	}
}

// spoken is what a symbol file can say.
func spoken(l symbolize.Location) symbolize.Location {
	l.Linkage, l.Readable, l.Clone, l.LineStart = "", "", "", 0
	l.Function = strings.TrimSpace(l.Function)
	if l.File == "<unknown>" { // for a call with an unknown call site
		l.File = ""
	}
	l.Inlines = slices.Clone(l.Inlines)
	for i := range l.Inlines {
		l.Inlines[i].Linkage, l.Inlines[i].Readable = "", ""
	}
	return l
}

func sameRules(u *union, sym *breakpad.File, rel uint64) string {
	want, wantOK := u.CallFrame(rel)
	got, ok := sym.CallFrame(rel)
	for _, r := range want.Rules { // what Breakpad has no words for is not written
		if strings.Contains(r.Text(), " .") {
			return ""
		}
	}
	if ok != wantOK || !slices.Equal(sorted(want.Rules), sorted(got.Rules)) {
		return "rules " + strings.Join(sorted(want.Rules), ", ") + " were written as " + strings.Join(sorted(got.Rules), ", ")
	}
	if w, has := u.WinFrame(rel); has {
		g, ok := sym.WinFrame(rel)
		w.Start, w.Size, g.Start, g.Size = 0, 0, 0, 0 // overlapping ones may be cut elsewhere
		if !ok || w != g {
			return "a frame was written otherwise"
		}
	}
	return ""
}

func sorted(rules []unwind.Rule) (out []string) {
	for _, r := range rules {
		if !r.From.Equal(unwind.At(r.Reg, 0)) { // a register that is as it was may be left out
			out = append(out, r.String())
		}
	}
	slices.Sort(out)
	return out
}

// listedAddresses are the first and last addresses of functions and lines, and those beside them;
// and those where rules change. Between these the rules of some formats are those of an instruction
// that is never executed.
func listedAddresses(t *testing.T, u *union) (functions, rows []uint64) {
	t.Helper()
	span := func(start, size uint64) {
		functions = append(functions, start-1, start, start+size/2, start+size-1, start+size)
	}
	err := u.eachFunction(func(f *symbolize.Function) error {
		span(f.Start, f.Size)
		for _, l := range f.Lines {
			span(l.Start, l.Size)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = u.eachCallFrame(func(table *unwind.CallFrameTable) error {
		rows = append(rows, table.Start)
		for _, row := range table.Rows {
			rows = append(rows, row.Addr)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(functions)
	return slices.Compact(functions), rows
}

func TestModules(t *testing.T) {
	s := NewStore(Options{})
	s.Add("app.sym", source(sym(idA, "app")))
	s.Add("nothing", source("a text"))
	want := []module.Module{{DebugID: idA, DebugFile: "app", CodeID: "AABBCCDDEE", Arch: "amd64"}}
	if got := s.Modules(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestExportImages writes images that have no debug file beside them.
func TestExportImages(t *testing.T) {
	if _, err := os.Stat(nativeCorpus); err != nil {
		t.Skip("no ../shared/corpus beside the project")
	}
	_, text := exported(t, []string{"dump_syms/windows/mozwer.dll"})
	for _, want := range []string{"INFO CODE_ID 5FDB6A2871000 mozwer.dll\n", "\nFUNC 1310 64 0 <unknown in mozwer.dll>\n", "\nSTACK CFI INIT 1310 64 "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.300s", want, text)
		}
	}
}

// unscoped returns the name of a function without the namespaces and classes before it.
func unscoped(name string) string {
	name = strings.ReplaceAll(name, "(anonymous namespace)::", "")
	end := len(name)
	if n := strings.IndexAny(name, "(<"); n >= 0 {
		end = n
	}
	if n := strings.LastIndex(name[:end], "::"); n >= 0 {
		return name[n+2:]
	}
	return name
}
