package render

import (
	"strings"

	"crashglass/core/report"
)

// anothers marks a frame that is named by forced mismatched symbols.
func anothers(f *report.Frame) string {
	if f.UsedAnyway {
		return "names of another build"
	}
	return ""
}

// doubts returns the reasons why a frame's name may be wrong. They apply to the physical frame, not
// to inlined calls.
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
