package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crashglass/symbols"
)

// debugFiles replaces a .dSYM bundle, a folder within one, or a folder of bundles by the debug
// files in it, and a folder without any by the parts of debug information in it. A file of a bundle is followed by the property lists and symbol maps that restore
// its hidden names.
func debugFiles(paths []string) (out []string) {
	for _, path := range paths {
		info, err := os.Stat(path)
		bundle, inside := bundleAround(path)
		found := []string{path}
		switch {
		case err == nil && info.IsDir() && inside:
			found = filesOf(bundle)
		case err == nil && info.IsDir():
			if found = filesOf(path); len(found) == 0 {
				found = partsIn(path)
			}
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

// filesOf returns the debug files in a folder, with the files that restore their hidden names. It is
// empty for a folder without any, or one that cannot be read.
func filesOf(folder string) (out []string) {
	for _, name := range symbols.DebugFiles(ownName(folder), os.DirFS(folder)) {
		out = append(out, filepath.Join(folder, filepath.FromSlash(name)))
	}
	return out
}

// partEndings are the names of files with a part of a program's debug information, which say by
// themselves what program they belong to: split DWARF, and object files of Apple's debug maps.
var partEndings = []string{".dwo", ".dwp", ".o", ".a"}

func isPart(path string) bool {
	return slices.Contains(partEndings, strings.ToLower(filepath.Ext(path)))
}

// partsIn returns the parts in a folder and in the folders below it. A folder that cannot be read has none.
func partsIn(folder string) (out []string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && isPart(path) {
			out = append(out, path)
		}
		return nil
	})
	return out
}

// Property lists and symbol maps have no symbols: they only help to read them.
func isDebugFile(path string) bool {
	return !strings.EqualFold(filepath.Ext(path), ".plist") && !strings.EqualFold(filepath.Ext(path), ".bcsymbolmap")
}

// insideBundle lists the nested folders of a .dSYM, outermost first. Shell completion leads users to
// the file in the innermost one, where dwarfdump and dsymutil put the debug information.
var insideBundle = []string{"Contents", "Resources", "DWARF"}

// bundleAround returns the .dSYM that contains a path. The path may be one of its folders or a file
// in the innermost one.
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

// bundleOf returns the .dSYM around a folder. The folder and its parents must have the names in
// insideBundle, from the given index upwards.
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

// ownName returns a folder's real name, also for a path such as ".". The name of a bundle says which
// file in it is the main one.
func ownName(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return filepath.Base(path)
}
