package render

import (
	"fmt"
	"slices"
	"strconv"

	"crashglass/core/report"
)

// Limits of what counts as a recursion.
const (
	longestCycle = 16 // frames that call each other in a circle
	leastCycles  = 3  // times that they stand in the stack
)

// cycle returns how many of the items from i on repeat each other, and how often they stand there; 0 if they do not. The
// first of several cycles is the shortest. The work is linear, because a cycle is skipped as a whole.
func cycle(i, count int, same func(a, b int) bool) (length, times int) {
	for n := 1; n <= longestCycle; n++ {
		alike := 0
		for i+n+alike < count && same(i+alike, i+n+alike) {
			alike++
		}
		if times := alike/n + 1; times > leastCycles {
			return n, times
		}
	}
	return 0, 0
}

// A fold is frames, or rows, that are written once: one, or those of a recursion, which stand in the stack several times.
type fold struct{ first, length, times int }

func folds(count int, same func(a, b int) bool) (out []fold) {
	for i := 0; i < count; {
		length, times := cycle(i, count, same)
		f := fold{i, max(length, 1), max(times, 1)}
		out = append(out, f)
		i += f.length * f.times
	}
	return out
}

func frameFolds(frames []report.Frame) []fold {
	return folds(len(frames), func(a, b int) bool {
		x, y := &frames[a], &frames[b]
		return x.Offset == y.Offset && x.Trust == y.Trust && x.Guess == y.Guess && sameCalls(x, y)
	})
}

// sameCalls reports whether two frames at one address run the same calls of an interpreter, or are the same ones.
func sameCalls(x, y *report.Frame) bool {
	alike := func(a, b report.Inline) bool {
		return a.Kind == b.Kind && text(a.Function) == text(b.Function) && text(a.File) == text(b.File) && machineLine(a.Line) == machineLine(b.Line)
	}
	call := func(f *report.Frame) report.Inline {
		return report.Inline{Function: f.Function, File: f.File, Line: f.Line, Kind: f.Kind}
	}
	return slices.EqualFunc(x.Inlines, y.Inlines, alike) && (x.Kind.Language() == "" || alike(call(x), call(y)))
}

// repeats says how often the rows above are repeated.
func repeats(rows, times int) string {
	if rows == 1 {
		return "the frame above repeats " + grouped(times) + " more times"
	}
	return fmt.Sprintf("the %d frames above repeat %s more times", rows, grouped(times))
}

// grouped writes a count with commas: "15,412".
func grouped(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// frames writes the frames of a stack. Those of a recursion are many and all alike, and are written once.
func (t texter) frames(th *report.Thread) {
	row := 0
	for _, f := range frameFolds(th.Frames) {
		first := row
		for i := range f.length {
			row = t.frame(row, &th.Frames[f.first+i])
		}
		if f.times > 1 {
			t.printf("    (%s)\n", repeats(f.length, f.times-1))
			row += (f.times - 1) * (row - first)
		}
	}
}
