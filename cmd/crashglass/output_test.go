package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputIsNoInput writes over each file that is read, by each of its names.
func TestOutputIsNoInput(t *testing.T) {
	dir := t.TempDir()
	symbols := filepath.Join(dir, "symbols")
	if err := os.Mkdir(symbols, 0o777); err != nil {
		t.Fatal(err)
	}
	dmp := file(t, dir, "small.dmp", smallDump(t))
	sym := file(t, symbols, "app.sym", []byte(smallSym))
	soft, hard := filepath.Join(dir, "soft"), filepath.Join(dir, "hard")
	if os.Symlink("small.dmp", soft) != nil || os.Link(dmp, hard) != nil {
		t.Skip("no links here")
	}
	for _, args := range [][]string{
		{"sanitize", "-o", dmp, dmp},
		{"sanitize", "-o", soft, dmp},
		{"sanitize", "-o", hard, dmp},
		{"sanitize", "-o", dmp, soft},
		{"sanitize", "-o", sym, "-symbols", sym, dmp},
		{"sanitize", "-o", sym, "-symbols", symbols, dmp},
		{"syms", "-o", sym, sym},
	} {
		_, errs, status := crashglass(args...)
		if status != exitInput || !strings.Contains(errs, args[2]+" is one of the files that are read: name another one with -o\n") {
			t.Errorf("%q: status %d, errors %q", args, status, errs)
		}
	}
	if data, err := os.ReadFile(dmp); err != nil || string(data) != string(smallDump(t)) {
		t.Errorf("the dump has %d bytes, %v", len(data), err)
	}
	if data, err := os.ReadFile(sym); err != nil || string(data) != smallSym {
		t.Errorf("the symbols have %d bytes, %v", len(data), err)
	}
}

// TestOutputFailsWhole leaves the file of an earlier run as it was.
func TestOutputFailsWhole(t *testing.T) {
	dir := t.TempDir()
	sym := file(t, dir, "app.sym", []byte(smallSym))
	old := file(t, dir, "old.sym", []byte("old"))
	if _, errs, status := crashglass("syms", "-o", old, sym); status == exitOK {
		t.Errorf("%q", errs)
	}
	if data, err := os.ReadFile(old); err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 2 {
		t.Errorf("there are %v, %v", all, err)
	}
}

// TestOutputKeeps replaces what a link leads to, and not the link; the file's
// mode stays.
func TestOutputKeeps(t *testing.T) {
	dir := t.TempDir()
	dmp := file(t, dir, "small.dmp", smallDump(t))
	target := file(t, dir, "target", []byte("old"))
	link := filepath.Join(dir, "link")
	if os.Symlink("target", link) != nil || os.Chmod(target, 0o640) != nil {
		t.Skip("no links or modes here")
	}
	for _, out := range []string{link, os.DevNull} {
		if _, errs, status := crashglass("sanitize", "-o", out, dmp); status != exitOK {
			t.Fatalf("%s: %q", out, errs)
		}
	}
	info, err := os.Lstat(target)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o640 || info.Size() < 100 {
		t.Errorf("%v, %v", info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
}
