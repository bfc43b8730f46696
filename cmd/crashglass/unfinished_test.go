package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The next run removes the temporary file of a killed run. A file that another run is writing
// stays, and so do files with similar names: parts of a download or of a split file
// (out.txt.17.part) belong to the user.
func TestLeftFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	sym := file(t, dir, "small.dmp", smallDump(t))
	target := filepath.Join(dir, "out.txt")
	for _, left := range []string{"out.txt.crashglass-17.part", "out.txt.crashglass-99999999.part", "out.txt.crashglass-x.part", "out.txt.part", "out.txt.17.part", "other.txt.crashglass-17.part", "out.txt.crashglass-17.party"} {
		file(t, dir, left, []byte("half"))
	}
	busy, err := createUnfinished(filepath.Join(dir, "out.txt"), 0o600) // removes two
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()

	if _, errs, status := crashglass("walk", "-o", target, sym); status != exitOK {
		t.Fatal(errs)
	}
	want := []string{"other.txt.crashglass-17.part", "out.txt", filepath.Base(busy.Name()), "out.txt.crashglass-17.party", "out.txt.part", "out.txt.17.part", "out.txt.crashglass-x.part", "small.dmp"}
	slices.Sort(want)
	if got := namesIn(t, dir); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// namesIn lists a folder.
func namesIn(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// The next run removes a symbol file that was half written when its run was killed.
func TestKilledRun(t *testing.T) {
	dir := t.TempDir()
	killed, err := createUnfinished(filepath.Join(dir, "app.sym"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	killed.Close() // the system does so for a killed process
	again, err := createUnfinished(filepath.Join(dir, "app.sym"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := namesIn(t, dir); !slices.Equal(got, []string{filepath.Base(again.Name())}) {
		t.Errorf("%q", got)
	}
}
