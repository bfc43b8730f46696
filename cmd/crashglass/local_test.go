package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crashglass/cmd/internal/local"
	"crashglass/core/report"
)

// localOf runs a command with the files of a machine that are in a folder.
func localOf(t *testing.T, dir string, args ...string) (out, errs string, status int) {
	t.Helper()
	machine, err := local.At(dir)
	if err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	status = runOn(machine, args, &o, &e)
	return o.String(), e.String(), status
}

// Commands find the program's symbols at its recorded path, without a flag, and say where. --no-local turns it off, and
// --local-root searches a folder.
func TestLocalFiles(t *testing.T) {
	dir := t.TempDir()
	machine, empty := filepath.Join(dir, "machine"), filepath.Join(dir, "empty")
	sym := file(t, machine, "opt/app", []byte(smallSym))
	file(t, empty, "opt/app", []byte(strings.Replace(smallSym, debugID, "0403020106050807090A0B0C0D0E0F101", 1)))
	dmp := file(t, dir, "small.dmp", smallDump(t))
	for _, tt := range []struct {
		args  []string
		named bool
	}{
		{args: []string{"walk", dmp}, named: true},
		{args: []string{"walk", "--no-local", dmp}},
		{args: []string{"walk", "--local-root", empty, dmp}},
		{args: []string{"triage", dmp}, named: true},
		{args: []string{"triage", "--no-local", dmp}},
		{args: []string{"fetch", "--list", dmp}},
		{args: []string{"as", "minidump_stackwalk", dmp}},
		{args: []string{"as", "minidump-stackwalk", dmp}},
	} {
		out, errs, status := localOf(t, machine, tt.args...)
		if status != exitOK || strings.Contains(out, "crash()") != tt.named {
			t.Errorf("%v: status %d, %s%s", tt.args, status, errs, out)
		}
	}
	if out, _, _ := localOf(t, machine, "fetch", "--list", "--no-local", dmp); !strings.Contains(out, "app") {
		t.Errorf("fetch --no-local: %s", out)
	}
	if out, _, _ := crashglass("walk", "--local-root", machine, dmp); !strings.Contains(out, "crash()") || !strings.Contains(out, "\nSymbols from this machine:\n"+sym+"  (at the recorded path)\n") {
		t.Errorf("--local-root: %s", out)
	}
	missing := filepath.Join(dir, "missing")
	if out, errs, status := crashglass("walk", "--local-root", missing, dmp); status != exitInput || out != "" || !strings.Contains(errs, "missing: "+systemSays(missing)) {
		t.Errorf("a missing root: status %d, %s%s", status, out, errs)
	}
	var r struct {
		Modules []struct{ Symbols *report.Symbols }
	}
	out, _, _ := localOf(t, machine, "walk", "--format", "json", dmp)
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if s := r.Modules[0].Symbols; s == nil || !slices.Equal(s.Local, []report.LocalFile{{File: sym, Place: report.AtRecordedPath}}) {
		t.Errorf("symbols %+v", s)
	}
}

// slice and capsule take what is on the machine, too.
func TestSliceOfLocalFiles(t *testing.T) {
	dir := t.TempDir()
	machine, store := filepath.Join(dir, "machine"), filepath.Join(dir, "store")
	file(t, machine, "opt/app", []byte(smallSym))
	dmp := file(t, dir, "small.dmp", smallDump(t))
	if _, errs, status := localOf(t, machine, "slice", "--store", store, dmp); status != exitOK || !strings.Contains(errs, "app.sym") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// The tests' runs do not read what is installed: the dump names a file that is there and has the module's ID.
func TestTestsReadNoLocalFiles(t *testing.T) {
	dir := t.TempDir()
	program := file(t, dir, "app", []byte(smallSym))
	dmp := file(t, dir, "small.dmp", smallDumpOf(t, program))
	if out, _, _ := crashglass("walk", dmp); strings.Contains(out, "crash()") {
		t.Errorf("a file of this machine was read: %s", out)
	}
	var out, errs bytes.Buffer
	if status := runOn(local.This(), []string{"walk", dmp}, &out, &errs); status != exitOK || !strings.Contains(out.String(), "crash()") {
		t.Errorf("the program does not read it: status %d, %s%s", status, errs.String(), out.String())
	}
}

// What was given and does not match is in every report, and on standard error with the reason, also without --strict.
func TestGivenButUnused(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	const otherID = "0403020106050807090A0B0C0D0E0F101"
	other := file(t, dir, "app.sym", []byte(strings.Replace(smallSym, debugID, otherID, 1)))
	alien := file(t, dir, "alien.sym", []byte("MODULE Linux x86_64 112233445566778899AABBCCDDEEFF000 alien\nFUNC 100 40 0 f\n"))
	why := other + ": its ID is " + otherID + "; the dump wants " + debugID
	none := alien + ": no module of the dump is of this file"
	for format, marks := range map[string][2]string{"text": {why, none}, "json": {`"wanted":"` + debugID, `"file":"` + alien}, "markdown": {"the dump wants `" + debugID, "no module of the dump"}, "html": {"the dump wants " + debugID, "no module of the dump"}} {
		out, errs, status := crashglass("walk", "--reveal", "--format", format, dmp, other, alien)
		if status != exitOK || errs != "crashglass: "+none+"\ncrashglass: "+why+"\n" {
			t.Errorf("%s: status %d, %s", format, status, errs)
		}
		for _, mark := range marks {
			if !strings.Contains(out, mark) {
				t.Errorf("%s: %s is not in %s", format, mark, out)
			}
		}
	}
	said := "crashglass: " + none + "\ncrashglass: " + why + "\n"
	viewer := file(t, dir, "viewer.html", []byte("<!doctype html><title>x</title></html>"))
	for _, args := range [][]string{
		{"triage"}, {"triage", "--jobs", "1"}, {"slice", "--store", filepath.Join(dir, "store")}, {"sanitize", "-o", filepath.Join(dir, "out.dmp")},
		{"capsule", "--viewer", viewer, "-o", filepath.Join(dir, "out.html")},
	} {
		if _, errs, _ := crashglass(append(args, dmp, other, alien)...); strings.Count(errs, said) != 1 {
			t.Errorf("%v: %s", args, errs)
		}
	}
	fits := file(t, dir, "fits.sym", []byte(smallSym))
	if _, errs, _ := crashglass("triage", dmp, fits); errs != "" {
		t.Errorf("triage, a file that fits: %s", errs)
	}
	if _, errs, _ := crashglass("walk", dmp, fits); errs != "" {
		t.Errorf("a file that fits: %s", errs)
	}
}

// The servers of _NT_SYMBOL_PATH are named in every report and on standard error, and not read.
func TestServersOfSymbolPath(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	t.Setenv("_NT_SYMBOL_PATH", "srv*/nowhere*https://me:secret@sym.example.org/x")
	const named = "`_NT_SYMBOL_PATH` names https://sym.example.org/x"
	for format, mark := range map[string]string{
		"text": named, "markdown": "`_NT_SYMBOL_PATH` names `https://sym.example.org/x`", "html": "names https://sym.example.org/x", "json": `"unread_servers":["https://sym.example.org/x"]`,
	} {
		out, errs, status := localOf(t, dir, "walk", "--format", format, dmp)
		if status != exitOK || !strings.Contains(out, mark) || !strings.Contains(errs, named) || strings.Contains(out+errs, "secret") {
			t.Errorf("%s: status %d, %s\n%s", format, status, out, errs)
		}
	}
	if out, errs, _ := localOf(t, dir, "walk", "--no-local", dmp); strings.Contains(out+errs, "_NT_SYMBOL_PATH") {
		t.Errorf("with --no-local: %s%s", out, errs)
	}
}
