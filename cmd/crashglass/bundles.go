package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crashglass/symbols"
)

// debugFiles puts the debug files of a .dSYM bundle, of a part of one, or of a
// folder of bundles, in its place. Behind a file that lies in a bundle comes
// what undoes its hidden names.
func debugFiles(paths []string) (out []string) {
	for _, path := range paths {
		info, err := os.Stat(path)
		bundle, inside := bundleAround(path)
		found := []string{path}
		switch {
		case err == nil && info.IsDir() && inside:
			found = filesOf(bundle)
		case err == nil && info.IsDir():
			found = filesOf(path)
		case inside:
			found = append(found, slices.DeleteFunc(filesOf(bundle), isDebugFile)...)
		}
		if len(found) == 0 {
			found = []string{path}
		}
		out = append(out, found...)
	}
	return out
}

// filesOf are the debug files in a folder, and what undoes their hidden names.
func filesOf(folder string) (out []string) {
	for _, name := range symbols.DebugFiles(ownName(folder), os.DirFS(folder)) {
		out = append(out, filepath.Join(folder, filepath.FromSlash(name)))
	}
	return out
}

func isDebugFile(path string) bool {
	return !strings.EqualFold(filepath.Ext(path), ".plist") && !strings.EqualFold(filepath.Ext(path), ".bcsymbolmap")
}

// insideBundle are the folders of a .dSYM, one in the other.
var insideBundle = []string{"Contents", "Resources", "DWARF"}

// bundleAround is the .dSYM that a path leads into: to one of its folders, or to
// a file in the innermost.
func bundleAround(path string) (bundle string, inside bool) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	if bundle, inside = bundleOf(whole, slices.Index(insideBundle, filepath.Base(whole))); inside {
		return bundle, true
	}
	return bundleOf(filepath.Dir(whole), len(insideBundle)-1)
}

// bundleOf is the .dSYM of a folder that is called like the one at an index of
// insideBundle, if all folders above it are called so, too.
func bundleOf(folder string, at int) (bundle string, inside bool) {
	if at < 0 {
		return "", false
	}
	for ; at >= 0; at-- {
		if filepath.Base(folder) != insideBundle[at] {
			return "", false
		}
		folder = filepath.Dir(folder)
	}
	return folder, isBundle(folder)
}

// ownName is what a folder is called, which "." does not tell.
func ownName(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return filepath.Base(path)
}
