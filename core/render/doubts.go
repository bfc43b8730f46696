package render

import (
	"strings"

	"crashglass/core/report"
)

// mismatched marks a frame that is named by mismatched symbols, which the user forced.
func mismatched(f *report.Frame) string {
	if f.UsedAnyway {
		return "names from mismatched symbols"
	}
	return ""
}

// doubts returns the reasons why a frame's name may be wrong. They apply to the physical frame, not
// to inlined calls.
func doubts(f *report.Frame) string {
	var all []string
	if f.UsedAnyway {
		all = append(all, mismatched(f))
	}
	if f.Folded {
		all = append(all, "identical code folding, may be another function")
	}
	if f.Clone != "" {
		all = append(all, "clone "+f.Clone)
	}
	return strings.Join(all, "; ")
}
