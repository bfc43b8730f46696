// Package kept compares files that tests make with the copies of them in the tree. A clean clone so has a
// dump of each class that other programs and tests can open, and a change of a builder shows in the copies.
//
//	go test ./core/minidump ./core/microdump ./core/elfcore -run TestClasses -update-dumps
//
// writes the copies anew.
package kept

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update-dumps", false, "write the dumps in testdata anew")

// Same fails the test if the file at a path does not have these bytes. With -update-dumps it writes them.
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
