package render

import (
	"runtime"
	"strings"
	"testing"

	"crashglass/core/report"
)

// Frames that repeat are written once, with the numbers of the others unchanged. Three alike are no recursion.
func TestRecursionIsFolded(t *testing.T) {
	for _, tt := range []struct {
		name, calls string // a letter is a function
		want        string // the rows, and what stands between them
	}{
		{"one function", "axxxxxxxb", "0a 1x [the frame above repeats 6 more times] 8b"},
		{"a circle", "axyxyxyxyxyb", "0a 1x 2y [the 2 frames above repeat 4 more times] 11b"},
		{"a circle, and a part of it", "xyxyxyxyx", "0x 1y [the 2 frames above repeat 3 more times] 8x"},
		{"few", "axxxb", "0a 1x 2x 3x 4b"},
		{"none", "abc", "0a 1b 2c"},
		{"no frames", "", ""},
	} {
		th := report.Thread{}
		for _, c := range tt.calls {
			name := string(c)
			th.Frames = append(th.Frames, report.Frame{Offset: report.Addr(uint64(c), 8), Function: &name, FoundBy: report.ByCFI})
		}
		var b strings.Builder
		x := texter{newPrinter(&b), &report.Report{}, Options{}}
		x.frames(&th)
		if err := x.flush(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(b.String()) {
			switch line = strings.TrimSpace(line); {
			case strings.HasPrefix(line, "("):
				got = append(got, "["+strings.Trim(line, "()")+"]")
			case !strings.HasPrefix(line, "Found by"):
				got = append(got, strings.NewReplacer(" ", "", "!", "").Replace(line))
			}
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.want)
		}
	}
}

// A long stack costs time in proportion to its length.
func TestCycleIsLinear(t *testing.T) {
	const count = 1 << 16
	calls, i := 0, 0
	same := func(a, b int) bool { calls++; return a%50 == b%50 } // a circle that is too long
	for i < count {
		length, times := cycle(i, count, same)
		i += max(length*times, 1)
	}
	if calls > count*longestCycle*2 {
		t.Errorf("%d comparisons for %d frames", calls, count)
	}
}

// Frames of an interpreter are at one address, and are no recursion if they run other calls.
func TestCallsAreNoRecursion(t *testing.T) {
	var frames, tasks []report.Frame
	for _, name := range []string{"a", "b", "c", "d", "e", "e", "e", "e"} {
		frames = append(frames, report.Frame{Offset: "0x1", Inlines: []report.Inline{{Function: &name, Kind: report.ScriptFrame}}})
		tasks = append(tasks, report.Frame{Offset: "0x1", Function: &name, Kind: report.ScriptFrame})
	}
	for _, list := range [][]report.Frame{frames, tasks} {
		if got := frameFolds(list); len(got) != 5 || got[4] != (fold{4, 1, 4}) {
			t.Errorf("%+v", got)
		}
	}
	for _, tt := range []struct {
		in   report.Inline
		want string
	}{
		{report.Inline{File: ptr("/a.js"), Kind: report.ScriptFrame}, " [a.js]"},
		{report.Inline{File: ptr("/a.js"), Line: ptr(uint32(2)), Column: ptr(uint32(7)), Kind: report.ScriptFrame}, " [a.js : 2:7]"},
		{report.Inline{File: ptr("/a.c")}, " [a.c : 0]"},
	} {
		if got := inlineAt(&tt.in); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// Frames of a report that is text may all be at address 0. Other functions there are no recursion, and another stack.
func TestNamesWithoutAddresses(t *testing.T) {
	stackOf := func(names ...string) (out []report.Frame) {
		for _, name := range names {
			out = append(out, report.Frame{Offset: "0x0", Function: &name})
		}
		return out
	}
	if got := frameFolds(stackOf("a", "b", "c", "d", "e", "e", "e", "e")); len(got) != 5 || got[4] != (fold{4, 1, 4}) {
		t.Errorf("%+v", got)
	}
	if stackKey(&report.Thread{Frames: stackOf("a", "b")}) == stackKey(&report.Thread{Frames: stackOf("a", "c")}) {
		t.Error("stacks of other functions are one")
	}
}

// The key of a frame costs memory in proportion to its inlined calls.
func TestKeyOfManyCalls(t *testing.T) {
	name := "engine::draw"
	f := report.Frame{Offset: "0x1", Inlines: make([]report.Inline, 1<<13)}
	for i := range f.Inlines {
		f.Inlines[i].Function = &name
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	key := frameKey(&f)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64*uint64(len(key)) {
		t.Errorf("%d bytes for a key of %d", used, len(key))
	}
}
