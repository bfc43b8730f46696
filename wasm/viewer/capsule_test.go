package main

import (
	"fmt"
	"slices"
	"testing"

	"crashglass/core/report"
	"crashglass/symbols/share/capsule"
	"crashglass/wasm/internal/bridge"
)

// crashIn is a report whose crashing thread has a frame in line 1 of each file.
func crashIn(paths ...string) *report.Report {
	line := uint32(1)
	frames := make([]report.Frame, len(paths))
	for i := range paths {
		frames[i].File, frames[i].Line = &paths[i], &line
	}
	return &report.Report{Threads: []report.Thread{{Crashed: true, Frames: frames}}}
}

func namesAdded(r *report.Report, given ...bridge.File) (names []string) {
	var page capsule.Capsule
	addSources(&page, given, r)
	for i := range page.Files {
		names = append(names, page.Files[i].Name)
	}
	return names
}

func TestCapsuleHasASourceOnce(t *testing.T) {
	r := crashIn("a.c", "b.c")
	got := namesAdded(r, file("a.c", []byte("first")), file("other.c", []byte("x")), file("a.c", []byte("second")), file("b.c", nil))
	if want := []string{"a.c", "b.c"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Eight files of the largest size fill the capsule; a ninth has no room, an empty one has.
func TestCapsuleBoundsItsSources(t *testing.T) {
	large := make([]byte, mostSource)
	var paths []string
	var given []bridge.File
	for i := range 9 {
		paths = append(paths, fmt.Sprintf("%d.c", i))
		given = append(given, file(paths[i], large))
	}
	paths = append(paths, "empty.c", "larger.c")
	given = append(given, file("empty.c", nil))
	got := namesAdded(crashIn(paths...), append([]bridge.File{file("larger.c", make([]byte, mostSource+1))}, given...)...)
	if want := append(paths[:8:8], "empty.c"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
