package main

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"

	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/core/sanitize"
)

// around is how many lines before and after a frame's are taken along.
const around = 25

// mostSource is how much of a source file is read.
const mostSource = 16 << 20

// addSources adds the lines around the frames of the thread that crashed. The
// other lines of a file are empty, so that lines keep their numbers.
func (k *capsule) addSources(files *files, folder string, r *report.Report) {
	lines := frameLines(r)
	for file, path := range sourceFiles(folder, lines) {
		src, err := files.source(path)
		if err != nil {
			continue
		}
		if text, err := src.ReadUpTo("source", 0, mostSource); err == nil {
			k.files = append(k.files, capsuleFile{"source", strings.TrimLeft(filepath.ToSlash(k.masked(file, (*sanitize.Masker).Path)), "/"), excerpt(text, lines[file])})
		}
	}
}

// sourceFiles finds, in a folder, the files that frames name: of several of one
// name the one that agrees in most folders above it. What cannot be read is
// not taken along.
func sourceFiles(folder string, wanted map[string][]int) map[string]string {
	byName := map[string][]string{}
	for file := range wanted {
		name := strings.ToLower(module.Basename(file))
		byName[name] = append(byName[name], file)
	}
	found, agree := map[string]string{}, map[string]int{}
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		for _, file := range byName[strings.ToLower(entry.Name())] {
			if n := sameEnd(file, path); n > agree[file] {
				found[file], agree[file] = path, n
			}
		}
		return nil
	})
	return found
}

// sameEnd is how many elements two paths have in common, from the last one on.
func sameEnd(a, b string) (n int) {
	x, y := pathElements(a), pathElements(b)
	for n < min(len(x), len(y)) && strings.EqualFold(x[len(x)-1-n], y[len(y)-1-n]) {
		n++
	}
	return n
}

func pathElements(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
}

// frameLines are the lines of source files that the crashing thread's frames name.
func frameLines(r *report.Report) map[string][]int {
	lines := map[string][]int{}
	add := func(file *string, line *uint32) {
		if file != nil && line != nil {
			lines[*file] = append(lines[*file], int(*line))
		}
	}
	for i := range r.Threads {
		if !r.Threads[i].Crashed {
			continue
		}
		for j := range r.Threads[i].Frames {
			f := &r.Threads[i].Frames[j]
			add(f.File, f.Line)
			for n := range f.Inlines {
				add(f.Inlines[n].File, f.Inlines[n].Line)
			}
		}
	}
	return lines
}

// excerpt keeps the lines of a text that are near one of those in at.
func excerpt(text []byte, at []int) []byte {
	all := bytes.Split(text, []byte("\n"))
	keep := make([]bool, len(all))
	for _, line := range at {
		for n := max(line-1-around, 0); n < min(line+around, len(all)); n++ {
			keep[n] = true
		}
	}
	for n := range all {
		if !keep[n] {
			all[n] = nil
		}
	}
	return bytes.Join(all, []byte("\n"))
}
