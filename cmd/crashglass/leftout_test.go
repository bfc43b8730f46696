package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/report/triage"
)

// zipWith is a zip file of a dump, and of n members that cannot be read: they are encrypted.
func zipWith(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range n + 1 {
		h := &zip.FileHeader{Name: fmt.Sprintf("%d.dmp", i), Method: zip.Deflate}
		if i > 0 {
			h.Flags = 1
		}
		member, err := w.CreateHeader(h)
		if err == nil {
			_, err = member.Write(smallDump(t))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Whatever is left out of an archive is said in one line and is a failure, also if the rest was read.
func TestLeftOutIsSaid(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "dumps.zip", zipWith(t, 3))
	viewer := file(t, dir, "viewer.html", []byte(smallViewer))
	sym := file(t, dir, "app.sym", []byte(smallSym))
	const why = "3 of the 4 files in this were not read: "
	for _, args := range [][]string{
		{"walk"}, {"walk", "--format", "json"}, {"dump"}, {"triage"}, {"sanitize"}, {"capsule", "--viewer", viewer},
		{"slice", "--symbols", sym, "--store", filepath.Join(dir, "store")}, {"as", "minidump_stackwalk"},
	} {
		out, errs, status := crashglass(append(args, path)...)
		if status != exitInput || strings.Count(errs, why) != 1 {
			t.Errorf("%q: status %d, errors %q", args, status, errs)
		}
		if out == "" && args[0] != "slice" {
			t.Errorf("%q wrote nothing of the dump that can be read", args)
		}
	}
	if _, errs, status := crashglass("walk", "--symbols", path, file(t, dir, "small.dmp", smallDump(t))); status != exitInput || strings.Count(errs, why) != 1 {
		t.Errorf("as symbols: status %d, errors %q", status, errs)
	}
}

// Several archives in one, each with files that cannot be read, are one line, too.
func TestLeftOutIsOneLine(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "all.zip", zipped(t, map[string][]byte{"a.zip": zipWith(t, 2), "b.zip": zipWith(t, 3)}))
	const why = "5 of its files were not read, the first: "
	for _, args := range [][]string{{path}, {"--symbols", path, file(t, dir, "small.dmp", smallDump(t))}} {
		if _, errs, status := crashglass(append([]string{"walk"}, args...)...); status != exitInput || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, why) {
			t.Errorf("%q: status %d, errors %q", args, status, errs)
		}
	}
}

// Triage counts the files that are left out.
func TestLeftOutIsCounted(t *testing.T) {
	path := file(t, t.TempDir(), "dumps.zip", zipWith(t, 3))
	out, _, _ := crashglass("triage", "--format", "json", path)
	var got struct{ Groups []triage.Group }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	counts := map[triage.Kind]uint64{}
	for _, g := range got.Groups {
		counts[g.Kind] += g.Count
	}
	if counts[triage.Unreadable] != 3 || counts[triage.Crash]+counts[triage.NoCrash] != 1 {
		t.Errorf("%v, want 3 unreadable ones and 1 dump", counts)
	}
}

// A folder with too many files is read in part, and that is said.
func TestFolderOfTooManyFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		file(t, dir, fmt.Sprintf("%d.dmp", i), smallDump(t))
	}
	for most, want := range map[int]string{3: "2 dumps, only the first 3 files and folders in it were searched: name its folders one by one", 6: "5 dumps, <nil>"} {
		found, err := dumpsOf(dir, most)
		if got := fmt.Sprintf("%d dumps, %v", len(found), err); got != want {
			t.Errorf("at most %d: %s, want %s", most, got, want)
		}
	}
}

// A folder that cannot be listed is named, and the others are read.
func TestFolderThatCannotBeListed(t *testing.T) {
	dir := t.TempDir()
	file(t, dir, "a.dmp", smallDump(t))
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadDir(closed); err == nil {
		t.Skip("this user may list every folder")
	}
	if _, errs, status := crashglass("walk", dir); status != exitInput || !strings.Contains(errs, ": closed in it cannot be listed: ") {
		t.Errorf("status %d, errors %q", status, errs)
	}
}

// After an error of writing no further dumps are read.
func TestTriageEndsAfterAnError(t *testing.T) {
	dir := t.TempDir()
	for i := range 50 {
		file(t, dir, fmt.Sprintf("%d.dmp", i), smallDump(t))
	}
	c := &cli{err: new(strings.Builder)}
	all := newFiles(c)
	defer all.close()
	c.eachDump(all, []string{dir}, &triageFlags{jobs: 2}, func(triage.Group) error { return errors.New("full") })
	if n := len(all.read); n > 10 {
		t.Errorf("%d files were read after an error, want those that were being read", n)
	}
}

// A dump that is not there is said once, and nothing is said of the slices.
func TestSliceOfNothing(t *testing.T) {
	for _, name := range []string{"missing", "bad.dmp"} {
		dir := t.TempDir()
		file(t, dir, "bad.dmp", []byte("MDMP"))
		_, errs, status := crashglass("slice", "--store", filepath.Join(dir, "store"), filepath.Join(dir, name))
		if status != exitInput || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, name) {
			t.Errorf("%s: status %d, errors %q", name, status, errs)
		}
	}
}
