package main

import (
	"path/filepath"
	"testing"
)

// Each folder of a .dSYM, and a file of any name in the innermost one, leads to the bundle.
func TestBundleAround(t *testing.T) {
	dir := t.TempDir()
	bundle := filepath.Join(dir, "App.dSYM")
	for _, name := range []string{"App", "DWARF", "Contents"} {
		file(t, filepath.Join(bundle, "Contents", "Resources", "DWARF"), name, []byte("x"))
	}
	for path, inside := range map[string]bool{
		"Contents": true, "Contents/Resources": true, "Contents/Resources/DWARF": true,
		"Contents/Resources/DWARF/App": true, "Contents/Resources/DWARF/DWARF": true, "Contents/Resources/DWARF/Contents": true,
		"": false, "Resources": false, "Contents/Info.plist": false, "Contents/DWARF": false,
	} {
		got, ok := bundleAround(filepath.Join(bundle, filepath.FromSlash(path)))
		if ok != inside || ok && got != bundle {
			t.Errorf("%s: %q %v, want %v", path, got, ok, inside)
		}
	}
}
