package render

import (
	"strings"

	"crashglass/core/report"
)

// anothers says of a frame with names that a person insisted on what they are.
func anothers(f *report.Frame) string {
	if f.UsedAnyway {
		return "names of another build"
	}
	return ""
}

// doubts says what a frame's name stands for, where that is not one function of
// this build: it holds of the physical frame, and not of calls inlined into it.
func doubts(f *report.Frame) string {
	var all []string
	if f.UsedAnyway {
		all = append(all, anothers(f))
	}
	if f.Folded {
		all = append(all, "identical code folding, may be another function")
	}
	if f.Clone != "" {
		all = append(all, "clone "+f.Clone)
	}
	return strings.Join(all, "; ")
}
