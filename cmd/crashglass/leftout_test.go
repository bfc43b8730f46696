package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crashglass/core/analyze"
	"crashglass/core/report/render"
	"crashglass/core/report/triage"
	"crashglass/symbols"
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
	counts := triageCounts(t, path)
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

// zipInOrder is a zip file of a broken dump and n good ones, in this order. left members are encrypted.
func zipInOrder(t *testing.T, n, left int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range 1 + n + left {
		h, data := &zip.FileHeader{Name: fmt.Sprintf("%d.dmp", i)}, smallDump(t)
		switch {
		case i == 0:
			data = []byte("MDMP\x93\xa7")
		case i > n:
			h.Flags = 1
		}
		member, err := w.CreateHeader(h)
		if err == nil {
			_, err = member.Write(data)
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

// A dump that cannot be read costs one line with its name and the exit status, and the dumps after it are read.
func TestBrokenDumpInArchive(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "dumps.zip", zipInOrder(t, 3, 2))
	sym := file(t, dir, "app.sym", []byte(smallSym))
	for _, args := range [][]string{
		{"walk"}, {"walk", "-o", filepath.Join(dir, "out.txt")}, {"dump"}, {"triage"},
		{"slice", "--symbols", sym, "--store", filepath.Join(dir, "store")}, {"as", "minidump_stackwalk"}, {"fetch", "--list"},
	} {
		_, errs, status := crashglass(append(args, path)...)
		broken, left := strings.Count(errs, filepath.ToSlash(path)+"/0.dmp: "), strings.Count(errs, path+": 2 of the 6 files in this were not read: ")
		if status != exitInput || broken != 1 || left != 1 {
			t.Errorf("%q: status %d, errors %q", args, status, errs)
		}
	}
	out, _, _ := crashglass("walk", path)
	written, err := os.ReadFile(filepath.Join(dir, "out.txt"))
	if n := strings.Count(out, "\nDump: "); n != 3 || err != nil || string(written) != out {
		t.Errorf("%d reports; in the file: %d bytes of %d, %v", n, len(written), len(out), err)
	}
	one, _, _ := crashglass("dump", file(t, dir, "small.dmp", smallDump(t)))
	if out, _, _ := crashglass("dump", path); one == "" || out != strings.Repeat(one, 3) {
		t.Errorf("dump wrote %q", out)
	}
	if counts := triageCounts(t, path); counts[triage.Unreadable] != 3 || counts[triage.Crash]+counts[triage.NoCrash] != 3 {
		t.Errorf("%v, want 3 unreadable ones and 3 dumps", counts)
	}
	out, _, _ = crashglass("triage", "--map", path)
	if !strings.Contains(out, "dumps.zip/0.dmp") {
		t.Errorf("no line of the map has the name of the broken dump: %s", out)
	}
}

// triageCounts are the numbers of dumps that triage counts in a file.
func triageCounts(t *testing.T, path string) map[triage.Kind]uint64 {
	t.Helper()
	out, errs, _ := crashglass("triage", "--format", "json", path)
	var got struct{ Groups []triage.Group }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err, errs)
	}
	counts := map[triage.Kind]uint64{}
	for _, g := range got.Groups {
		counts[g.Kind] += g.Count
	}
	return counts
}

// Many broken dumps are named up to a limit, and the others are counted.
func TestManyBrokenDumps(t *testing.T) {
	members := map[string][]byte{"good.dmp": smallDump(t)}
	for i := range maxSaid + 5 {
		members[fmt.Sprintf("%d.dmp", i)] = []byte("MDMP\x93\xa7")
	}
	path := file(t, t.TempDir(), "dumps.zip", zipped(t, members))
	out, errs, status := crashglass("walk", path)
	if status != exitInput || out == "" || strings.Count(errs, "\n") != maxSaid+1 || !strings.Contains(errs, path+": 5 more of its dumps were not read") {
		t.Errorf("status %d, errors %q", status, errs)
	}
	if counts := triageCounts(t, path); counts[triage.Unreadable] != maxSaid+5 {
		t.Errorf("%v", counts)
	}
}

// An archive of which no dump can be read leaves the file of --output as it was.
func TestOnlyBrokenDumps(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "dumps.zip", zipped(t, map[string][]byte{"a.dmp": []byte("MDMP"), "b.dmp": []byte("MDMP")}))
	old := file(t, dir, "old.txt", []byte("old"))
	_, errs, status := crashglass("walk", "-o", old, path)
	if data, _ := os.ReadFile(old); status != exitInput || string(data) != "old" || !strings.Contains(errs, "/b.dmp: ") {
		t.Errorf("status %d, file %q, errors %q", status, data, errs)
	}
}

// A command that takes one dump refuses an archive of several, also if only one can be read.
func TestBrokenDumpIsOneOfSeveral(t *testing.T) {
	path := file(t, t.TempDir(), "dumps.zip", zipInOrder(t, 1, 0))
	out, errs, status := crashglass("sanitize", path)
	if status != exitInput || out != "" || !strings.Contains(errs, errSeveral.Error()) {
		t.Errorf("status %d, %d bytes, errors %q", status, len(out), errs)
	}
}

// After an error of writing, no further dumps of an archive are used.
func TestArchiveEndsAfterAnOutputError(t *testing.T) {
	path := file(t, t.TempDir(), "dumps.zip", zipInOrder(t, 5, 2))
	files := newFiles(&cli{err: new(strings.Builder)})
	defer files.close()
	used, full := 0, failedOutput("out", errors.New("full"))
	err := files.sessions(input{path: path}, func(symbols.Item, *analyze.Session) error { used++; return full })
	if used != 1 || !errors.Is(err, full) {
		t.Errorf("%d dumps were used, and the error is %v", used, err)
	}
}

// A bug that one dump shows costs that dump.
func TestPanicInArchive(t *testing.T) {
	path := file(t, t.TempDir(), "dumps.zip", zipInOrder(t, 3, 0))
	files := newFiles(&cli{err: new(strings.Builder)})
	defer files.close()
	used := 0
	err := files.sessions(input{path: path}, func(symbols.Item, *analyze.Session) error {
		if used++; used == 1 {
			panic("bug")
		}
		return nil
	})
	if used != 3 || err == nil {
		t.Errorf("%d dumps were used, error %v", used, err)
	}
}

// Reports beyond the limit for one file are said by the name of the dump, and the reports before them stay.
func TestReportsBeyondTheLimit(t *testing.T) {
	all := several{out: io.Discard, size: render.MaxOutput + 1}
	if err := all.full(); err == nil {
		t.Error("nothing is said")
	}
}
