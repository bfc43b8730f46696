package render

import (
	"fmt"
	"strconv"
	"strings"

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
	keys := make([]string, len(frames))
	for i := range frames {
		keys[i] = frameKey(&frames[i])
	}
	return folds(len(frames), func(a, b int) bool { return keys[a] == keys[b] })
}

// frameKey returns a text that is equal for frames at one address that were found in one way and run the same calls. The address is not enough: all
// calls of an interpreter may be at one, and a report that is text may have none.
func frameKey(f *report.Frame) string {
	var key strings.Builder
	fmt.Fprintf(&key, "%s %s %t\n%s", f.Offset, f.Trust, f.Guess, describe(f, "", 0))
	for i := range f.Inlines {
		key.WriteString("\n" + inlineName(&f.Inlines[i]) + inlineAt(&f.Inlines[i]))
	}
	return key.String()
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
