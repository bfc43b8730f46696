// Package classes compares files that tests build with the copies of them in testdata. The copies are
// dumps of each class, which other programs and tests can open without running a builder. If a
// builder changes, the test fails, and this command writes the copies anew:
//
//	go test ./core/dump/minidump ./core/dump/microdump ./core/dump/elfcore -run TestClasses -update-dumps
//
// It does not look into the files, so any bytes will do.
package classes

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update-dumps", false, "write the dumps in testdata anew")

// Same fails the test if the file at a path does not have these bytes. With -update-dumps it writes
// them.
func Same(t *testing.T, path string, data []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, data) {
		t.Errorf("%s has %d bytes that differ from the %d that the builder makes: run the test with -update-dumps", path, len(have), len(data))
	}
}
