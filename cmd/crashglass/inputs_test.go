package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pipedIn makes standard input a pipe with the given bytes.
func pipedIn(t *testing.T, data []byte) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		w.Write(data)
		w.Close()
	}()
	old := os.Stdin
	os.Stdin = r
	t.Cleanup(func() { os.Stdin = old; r.Close() })
}

// The content of a path decides whether it has dumps or symbols; the order does not matter.
func TestTrailingPaths(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "d/small.dmp", smallDump(t))
	gz := file(t, dir, "z/small.dmp.gz", gzipped(t, smallDump(t)))
	sym := file(t, dir, "app.sym", []byte(smallSym))
	file(t, dir, "syms/app/"+debugID+"/app.sym", []byte(smallSym))
	file(t, dir, "both/crash", smallDump(t))
	file(t, dir, "both/app.sym", []byte(smallSym))
	file(t, dir, "both/README", []byte("hello\n"))
	pipedIn(t, smallDump(t))

	named := "Crash|SIGSEGV /SEGV_MAPERR|0x8|0\n"
	for _, tt := range []struct {
		paths   string // below dir, separated by blanks
		reports int
		symbols bool
	}{
		{paths: "d/small.dmp app.sym", reports: 1, symbols: true},
		{paths: "app.sym d/small.dmp", reports: 1, symbols: true},
		{paths: "d/small.dmp syms", reports: 1, symbols: true},
		{paths: "d/small.dmp syms/app", reports: 1, symbols: true},
		{paths: "d/small.dmp syms/app/" + debugID, reports: 1, symbols: true},
		{paths: "d", reports: 1},
		{paths: "d z/small.dmp.gz app.sym", reports: 2, symbols: true},
		{paths: "both", reports: 1, symbols: true},
		{paths: "d z both", reports: 3, symbols: true},
		{paths: "- app.sym", reports: 1, symbols: true},
	} {
		args := []string{"walk"}
		for p := range strings.FieldsSeq(tt.paths) {
			if p != "-" {
				p = filepath.Join(dir, p)
			}
			args = append(args, p)
		}
		out, errs, status := crashglass(append(args, "--format", "machine")...)
		if status != exitOK || errs != "" || strings.Count(out, named) != tt.reports || strings.Contains(out, "|crash()|") != tt.symbols {
			t.Errorf("%s: status %d, errors %q, output %q; want %d reports, symbols %v", tt.paths, status, errs, out, tt.reports, tt.symbols)
		}
	}
	if out, errs, status := crashglass("dump", gz, dmp); status != exitOK || strings.Count(out, "Header\n") != 2 {
		t.Errorf("dump: status %d, errors %q", status, errs)
	}
	if _, errs, status := crashglass("walk", sym); status != exitInput || errs != "crashglass: "+sym+": this is a Breakpad symbol file, not a minidump\n" {
		t.Errorf("symbols alone: status %d, errors %q", status, errs)
	}
}

// The file of --output is written when everything is done, or stays unchanged.
func TestWalkOutput(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	bad := file(t, dir, "bad.dmp", []byte("no dump"))
	to := file(t, dir, "report", []byte("old"))
	for _, tt := range []struct {
		path   string
		status int
		want   string
	}{
		{bad, exitInput, "old"},
		{dmp, exitOK, "OS|Linux|"},
	} {
		out, errs, status := crashglass("walk", tt.path, "-o", to, "--format=machine")
		if have, err := os.ReadFile(to); err != nil || status != tt.status || out != "" || !strings.HasPrefix(string(have), tt.want) {
			t.Errorf("%s: status %d, errors %q, file %q", tt.path, status, errs, have)
		}
	}
	if out, _, status := crashglass("walk", dmp, "-o", "-", "--format=machine"); status != exitOK || !strings.HasPrefix(out, "OS|Linux|") {
		t.Errorf("-o -: status %d, output %q", status, out)
	}
}

// --strict turns reports on standard error into an exit status.
func TestStrict(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	half := file(t, dir, "half.dmp", smallDump(t)[:len(smallDump(t))/2])
	sym := file(t, dir, "app.sym", []byte(smallSym))
	twin := file(t, dir, "twin.sym", []byte(smallSym))
	other := file(t, dir, "other.sym", []byte(strings.Replace(smallSym, debugID, "FFFFFFFF06050807090A0B0C0D0E0F100", 1)))
	text := file(t, dir, "note.txt", []byte("no symbols here\n"))
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	dumps := filepath.Join(dir, "dumps")
	file(t, dir, "dumps/small.dmp", smallDump(t))
	for _, tt := range []struct {
		args   []string
		status int
		errs   string // what the last line ends with
	}{
		{[]string{dmp}, exitOK, ""},
		{[]string{dumps, sym}, exitOK, ""}, // a folder of dumps need not have symbols
		{[]string{dumps, "--symbols", dumps}, exitStrict, "dumps has no symbols for any module of these dumps\n"},
		{[]string{dmp, sym}, exitOK, ""},
		{[]string{dmp, sym, twin}, exitOK, ""}, // not needed, but it fits
		{[]string{dmp, other}, exitStrict, "other.sym has no symbols for any module of these dumps\n"},
		{[]string{dmp, sym, "--symbols", empty}, exitStrict, "empty has no symbols for any module of these dumps\n"},
		{[]string{dmp, "--symbols", text}, exitStrict, "note.txt has no symbols\n"},
		{[]string{half}, exitStrict, "\n"},
		{[]string{dmp, other, "--symbols", "nonexistent"}, exitInput, "\n"},
	} {
		out, errs, status := crashglass(append([]string{"walk", "--strict"}, tt.args...)...)
		if status != tt.status || out == "" || (errs == "") != (tt.errs == "") || !strings.HasSuffix(errs, tt.errs) {
			t.Errorf("%q: status %d, errors %q; want %d and %q", tt.args, status, errs, tt.status, tt.errs)
		}
	}
}
