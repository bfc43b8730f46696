package capsule

import (
	"bytes"
	"strings"

	"crashglass/core/report"
)

// around is how many lines before and after a frame's are taken along.
const around = 25

// Source is the part of a source file that is around lines. The other lines are
// empty, so that lines keep their numbers.
func Source(path string, text []byte, at []int) File {
	return File{"source", strings.TrimLeft(path, "/"), excerpt(text, at)}
}

// Lines are the lines of source files that the crashing thread's frames name.
func Lines(r *report.Report) map[string][]int {
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
