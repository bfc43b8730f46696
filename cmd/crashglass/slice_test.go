package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The stacks of the example are the same with its slice, which is smaller.
func TestSlice(t *testing.T) {
	const dump, syms = "../../web/example/crash.dmp", "../../web/example/desk.sym"
	want, _, status := crashglass("walk", dump, syms)
	if status != exitOK {
		t.Fatal(status)
	}
	for _, tt := range []struct {
		names string
		has   string
	}{
		{"all", "desk::available"},
		{"own", "desk::available"},
		{"none", "<name withheld>"},
	} {
		store := filepath.Join(t.TempDir(), "small")
		if _, errs, status := crashglass("slice", "--store", store, "--names", tt.names, dump, syms); status != exitOK {
			t.Fatalf("%s: status %d: %s", tt.names, status, errs)
		}
		files, _ := filepath.Glob(filepath.Join(store, "desk", "*", "desk.sym"))
		if len(files) != 1 {
			t.Fatalf("%s: %d files", tt.names, len(files))
		}
		slice, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := os.ReadFile(syms)
		if len(slice) > len(whole)*2/3 || !strings.Contains(string(slice), tt.has) {
			t.Errorf("%s: %d bytes of %d, has %q: %v", tt.names, len(slice), len(whole), tt.has, strings.Contains(string(slice), tt.has))
		}
		got, _, _ := crashglass("walk", dump, "--symbols", store)
		if tt.names == "all" && stacksOf(got) != stacksOf(want) {
			t.Errorf("other stacks:\n%s\nwant\n%s", got, want)
		}
	}
}

// stacksOf returns the part of a report about threads.
func stacksOf(text string) string {
	_, stacks, _ := strings.Cut(text, "\nThread ")
	stacks, _, _ = strings.Cut(stacks, "\nLoaded modules")
	return stacks
}

func TestSliceRefuses(t *testing.T) {
	dir := t.TempDir()
	dump := file(t, dir, "small.dmp", smallDump(t))
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"slice"}, exitUsage, "crashglass slice: name a dump\n"},
		{[]string{"slice", dump}, exitUsage, "crashglass slice: name a folder with --store\n"},
		{[]string{"slice", "--store", dir, "--names", "x", dump}, exitUsage, "crashglass slice: --names cannot be x; want all, own or none\n"},
		{[]string{"slice", "--store", dir, dump}, exitInput, "crashglass: " + dir + ": no module of these dumps has symbols\n"},
	} {
		if _, errs, status := crashglass(tt.args...); status != tt.status || errs != tt.want {
			t.Errorf("status %d, %q; want %q", status, errs, tt.want)
		}
	}
}

// Every dump of the corpus has the same stacks by slices: the command compares.
func TestSliceCorpus(t *testing.T) {
	for _, root := range []string{"public", "real", "field"} {
		dumps, _ := filepath.Glob(filepath.Join(corpus, root, "dumps", "*.dmp"))
		if len(dumps) == 0 {
			t.Skip("no corpus here")
		}
		store := t.TempDir()
		args := append([]string{"slice", "--store", store, "--symbols", filepath.Join(corpus, root, "symbols")}, dumps...)
		if _, errs, status := crashglass(args...); status != exitOK {
			t.Errorf("%s: status %d\n%s", root, status, errs)
		}
	}
}

// Slices of a program lack its code, which says what happened if the dump has none. The commands say so; a sanitized capsule
// has the code.
func TestSlicesLackCode(t *testing.T) {
	dump := filepath.Join(corpus, "real", "dumps", "core_threads_o2.dmp")
	if _, err := os.Stat(dump); err != nil {
		t.Skip("no corpus here")
	}
	dir := t.TempDir()
	programs, viewer := filepath.Join(corpus, "real", "native"), file(t, dir, "viewer.html", []byte(smallViewer))
	for _, tt := range []struct {
		args []string
		said bool
	}{
		{args: []string{"slice", "--store", filepath.Join(dir, "small"), "--symbols", programs, dump}, said: true},
		{args: []string{"capsule", "--viewer", viewer, "--as-is", "--symbols", programs, dump}, said: true},
		{args: []string{"capsule", "--viewer", viewer, "--symbols", programs, dump}, said: false},
	} {
		_, errs, _ := crashglass(tt.args...)
		if said := strings.Contains(errs, `with all symbols it is "Null pointer read" in middle`) && strings.Contains(errs, "with the slices alone"); said != tt.said {
			t.Errorf("%v: %s", tt.args, errs)
		}
	}
}
