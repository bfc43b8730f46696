package render

import (
	"fmt"

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

// frames writes the frames of a stack. Those of a recursion are many and all alike, and are written once.
func (t texter) frames(th *report.Thread) {
	row := 0
	same := func(a, b int) bool {
		x, y := &th.Frames[a], &th.Frames[b]
		return x.Offset == y.Offset && x.Trust == y.Trust && x.Guess == y.Guess
	}
	for i := 0; i < len(th.Frames); {
		length, times := cycle(i, len(th.Frames), same)
		first := row
		for j := range max(length, 1) {
			row = t.frame(row, &th.Frames[i+j])
		}
		if length > 0 {
			what := "frame above repeats"
			if length > 1 {
				what = fmt.Sprintf("%d frames above repeat", length)
			}
			t.printf("    The %s %d more times.\n", what, times-1)
			row += (times - 1) * (row - first)
		}
		i += max(length*times, 1)
	}
}
