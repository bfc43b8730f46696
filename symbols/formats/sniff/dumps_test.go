package sniff

import (
	"slices"
	"testing"

	"crashglass/core/dump/container"
)

// Files of every kind that package container opens are dumps, and no others. Reports that are text are of one
// kind here.
func TestDumps(t *testing.T) {
	kinds := slices.DeleteFunc(container.Kinds(), func(kind string) bool { return slices.Contains(container.Texts(), kind) })
	kinds = append(kinds, string(Report))
	for _, kind := range kinds {
		if !Kind(kind).Dump() || Kind(kind).Sentence() == "" {
			t.Errorf("%s is no kind of dump here", kind)
		}
	}
	for _, kind := range dumps {
		if !slices.Contains(kinds, string(kind)) {
			t.Errorf("no reader opens %s", kind)
		}
	}
}
