package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A user's name and a secret occur in the dump, in paths of source files, in names of functions with
// a path, and in the name of the dump.
const canarySym = "MODULE Linux x86_64 " + debugID + ` app
FILE 0 /home/Kanarienvogel/src/app.cc
FILE 1 /home/Kanarienvogel/src/in.h
INLINE_ORIGIN 0 inlined<lambda at /home/Kanarienvogel/x.cc:1>
FUNC 100 40 0 crash(lambda at /home/Kanarienvogel/src/app.cc:3:1)
INLINE 0 5 1 0 100 40
100 40 12 0
FUNC 200 40 0 main
200 40 30 0
PUBLIC 300 0 last(lambda at /home/Kanarienvogel/src/app.cc:3:1)
`

// A sanitized capsule reveals no more than the dump of sanitize: neither its symbols and sources,
// nor their names.
func TestCapsuleCanaries(t *testing.T) {
	const canary = "Kanarienvogel"
	dir := t.TempDir()
	whole := smallDumpOf(t, "/home/Kanarienvogel/app")
	viewer, dump := file(t, dir, "viewer.html", []byte(smallViewer)), file(t, dir, canary+".dmp", bytes.Clone(whole))
	file(t, dir, "src/app.cc", []byte(strings.Repeat("code\n", 40)))
	sym := file(t, dir, "app.sym", []byte(canarySym))
	clean, errs, status := crashglass("sanitize", "--symbols", sym, dump)
	if status != exitOK {
		t.Fatal(errs)
	}
	for _, tt := range []struct {
		flags []string
		lives bool
	}{{}, {flags: []string{"--keep-names"}, lives: true}, {flags: []string{"--as-is"}, lives: true}} {
		page, errs, status := crashglass(append(append([]string{"capsule", "--viewer", viewer, "--symbols", sym, "--source", dir + "/src"}, tt.flags...), dump)...)
		if status != exitOK {
			t.Fatal(errs)
		}
		if all := opened(t, page); strings.Contains(all, canary) != tt.lives {
			t.Errorf("%v: the name is there: %v\n%s", tt.flags, !tt.lives, all)
		}
		if got := inside(t, page, "dump"); tt.flags == nil && got != clean {
			t.Error("the dump is not what sanitize makes")
		}
		asIs := len(tt.flags) > 0 && tt.flags[0] == "--as-is"
		if asIs && inside(t, page, "dump") != string(whole) {
			t.Error("--as-is changes the dump")
		}
		if strings.Contains(errs, "nothing was removed") != asIs || strings.Contains(page, `"cleaned":false`) != asIs {
			t.Errorf("%v: whether something was removed is not said: %s", tt.flags, errs)
		}
	}
}

// A slice reveals no more than a capsule.
func TestSliceCanaries(t *testing.T) {
	dir := t.TempDir()
	dump, sym := file(t, dir, "small.dmp", bytes.Clone(smallDumpOf(t, "/home/Kanarienvogel/app"))), file(t, dir, "app.sym", []byte(canarySym))
	for i, flags := range [][]string{nil, {"--keep-names"}} {
		store := filepath.Join(dir, "store", fmt.Sprint(i))
		if _, errs, status := crashglass(append([]string{"slice", "--store", store, "--symbols", sym, dump}, flags...)...); status != exitOK {
			t.Fatal(errs)
		}
		files, _ := filepath.Glob(filepath.Join(store, "app", "*", "app.sym"))
		if len(files) != 1 {
			t.Fatalf("%d files", len(files))
		}
		slice, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if lives := strings.Contains(string(slice), "Kanarienvogel"); lives != (flags != nil) {
			t.Errorf("%v: the name is there: %v\n%s", flags, lives, slice)
		}
	}
}

// opened is a capsule with its files unpacked, UTF-16 as ASCII.
func opened(t *testing.T, page string) string {
	t.Helper()
	var all strings.Builder
	for _, part := range regexp.MustCompile(`data-role="(\w+)" data-name="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		all.WriteString(part[0] + "\n")
	}
	for _, role := range []string{"dump", "symbols", "source"} {
		all.WriteString(strings.ReplaceAll(inside(t, page, role), "\x00", ""))
	}
	return all.String()
}
