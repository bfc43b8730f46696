package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A file with holes reads like one without.
func TestHoles(t *testing.T) {
	zeros := make([]byte, 3*holePage)
	for name, pieces := range map[string][][]byte{
		"holes in between":  {[]byte("first"), zeros, []byte("last")},
		"a hole at the end": {[]byte("first"), bytes.Repeat([]byte("x"), 2*holePage), zeros},
		"nothing else":      {zeros, zeros[:5]},
		"nothing":           {},
	} {
		path := filepath.Join(t.TempDir(), "file")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		h := &holeWriter{file: file}
		for _, p := range pieces {
			if n, err := h.Write(p); n != len(p) || err != nil {
				t.Fatalf("%s: %d of %d bytes, %v", name, n, len(p), err)
			}
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, bytes.Join(pieces, nil)) {
			t.Errorf("%s: other contents, %v", name, err)
		}
	}
}
