package capsule

import (
	"bytes"
	"slices"
	"strings"

	"crashglass/core/report"
)

// around is how many lines before and after the line of a frame an excerpt has.
const around = 25

// sourceOf returns the part of a source file that is around lines. The other lines are empty, so that
// lines keep their numbers.
func sourceOf(path string, text []byte, at []int) File {
	return File{IsSource, strings.TrimLeft(path, "/"), excerpt(text, at)}
}

// mostFiles bounds the source files of a stack. Symbols may name another file in each frame of a
// recursion, and each name costs a search and a copy.
const mostFiles = 256

// Lines returns the lines that the frames of the crashing thread name, by source file. It stops at
// mostFiles files; those of the innermost frames come first.
func Lines(r *report.Report) map[string][]int {
	lines := map[string][]int{}
	add := func(file *string, line *uint32) {
		if file == nil || line == nil || len(lines) == mostFiles && lines[*file] == nil {
			return
		}
		lines[*file] = append(lines[*file], int(*line))
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
	wanted := slices.Compact(slices.Sorted(slices.Values(at)))
	out := make([]byte, 0, bytes.Count(text, []byte("\n")))
	for n := 1; ; n++ { // lines count from 1
		line, rest, more := bytes.Cut(text, []byte("\n"))
		for len(wanted) > 0 && wanted[0] <= n-around-1 {
			wanted = wanted[1:]
		}
		if len(wanted) > 0 && wanted[0] <= n+around {
			out = append(out, line...)
		}
		if !more {
			return out
		}
		out, text = append(out, '\n'), rest
	}
}
