package main

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/share/capsule"
)

// mostSource bounds the bytes that are read of one source file, and mostSources of all together.
const (
	mostSource  = 16 << 20
	mostSources = 64 << 20
)

// addSources adds the lines around the frames of the thread that crashed. The
// other lines of a file are empty, so that lines keep their numbers.
func addSources(k *capsule.Capsule, files *files, folder string, r *report.Report) {
	lines := capsule.Lines(r)
	found, left := sourceFiles(folder, lines), uint64(mostSources)
	for _, file := range slices.Sorted(maps.Keys(found)) {
		src, err := files.source(found[file])
		if err != nil {
			continue
		}
		if text, ok := sourceText(src, left); ok {
			k.AddSource(filepath.ToSlash(file), text, lines[file])
			left -= uint64(len(text))
		}
	}
}

// A file is read whole or not at all: a part of it would show lines as empty.
func sourceText(src bin.Source, left uint64) ([]byte, bool) {
	size := min(uint64(src.Size()), mostSource)
	if size > left {
		return nil, false
	}
	text, err := src.ReadUpTo("source", 0, size)
	return text, err == nil
}

// sourceFiles finds the files that frames name in a folder. wanted has the paths of the machine that
// built the program, so only their last elements can match. Of several files with one name it takes
// the one with the longest common end of the path. Unreadable files are skipped.
func sourceFiles(folder string, wanted map[string][]int) map[string]string {
	byName := map[string][]string{}
	for file := range wanted {
		name := strings.ToLower(module.Basename(module.SourcePath(file)))
		byName[name] = append(byName[name], file)
	}
	found, agree := map[string]string{}, map[string]int{}
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		for _, file := range byName[strings.ToLower(entry.Name())] {
			if n := sameEnd(module.SourcePath(file), path); n > agree[file] {
				found[file], agree[file] = path, n
			}
		}
		return nil
	})
	return found
}

// sameEnd counts the elements that two paths share, from the last one backwards. Case does not count,
// because debug information of Windows has names in other cases than the disk.
func sameEnd(a, b string) (n int) {
	x, y := pathElements(a), pathElements(b)
	for n < min(len(x), len(y)) && strings.EqualFold(x[len(x)-1-n], y[len(y)-1-n]) {
		n++
	}
	return n
}

// pathElements splits a path of any operating system.
func pathElements(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
}
