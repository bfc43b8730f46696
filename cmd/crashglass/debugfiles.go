package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A bundle (.dSYM) is no plain folder: users pass it like a library.
func isPlainFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && !isBundle(path)
}

// isBundle reports whether a path names a .dSYM, with or without a slash at its end.
func isBundle(path string) bool {
	return strings.EqualFold(filepath.Ext(filepath.Clean(path)), ".dSYM")
}

// withDebugFiles adds the files that the originals find by themselves: the library next to a PDB,
// the debug file in a folder, the files of a bundle.
//
// Source: LoadELF in Breakpad's src/common/linux/dump_symbols.cc looks for .gnu_debuglink's file in
// the folders. Here, the file's own name and NAME.debug are tried, as distributions name them.
func withDebugFiles(path string, folders []string) []string {
	out := bundled(path)
	base := strings.TrimSuffix(path, filepath.Ext(path))
	if strings.EqualFold(filepath.Ext(path), ".pdb") {
		for _, ending := range []string{".exe", ".dll"} {
			out = appendFile(out, base+ending)
		}
	}
	for _, folder := range folders {
		for _, name := range []string{filepath.Base(path), filepath.Base(path) + ".debug"} {
			out = appendFile(out, filepath.Join(folder, name))
		}
	}
	return out
}

// The files are guesses, so a missing one is no error.
func appendFile(paths []string, path string) []string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || slices.Contains(paths, path) {
		return paths
	}
	return append(paths, path)
}

// bundled returns the files of a dSYM bundle; for any other path, the path. A bundle without debug
// files is returned as it is, so that the error names what the user wrote.
func bundled(path string) (found []string) {
	if path == "" {
		return nil
	}
	if isBundle(path) {
		found = filesOf(path)
	}
	if len(found) == 0 {
		return []string{path}
	}
	return found
}
