package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a killed run left beside its target the next run removes. A file that
// another run is writing stays, and so does what only looks like one of ours: the
// parts that a download or a split file has (out.txt.17.part) are a person's own.
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

// A symbol file that is half written when its run is killed is gone after the
// next run.
func TestKilledRun(t *testing.T) {
	dir := t.TempDir()
	killed, err := createUnfinished(filepath.Join(dir, "app.sym"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	killed.Close() // as the system does for a killed process
	again, err := createUnfinished(filepath.Join(dir, "app.sym"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := namesIn(t, dir); !slices.Equal(got, []string{filepath.Base(again.Name())}) {
		t.Errorf("%q", got)
	}
}
