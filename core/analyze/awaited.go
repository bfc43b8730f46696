package analyze

import (
	"sort"

	"crashglass/core/stack/unwind"
)

// unanswered counts the open queries of this report.
func (l *lookup) unanswered() (n int) {
	for _, f := range l.known {
		n += f.unanswered()
	}
	return n
}

// unanswered counts the queries about one module that this report made and the source has not
// answered.
func (f *found) unanswered() int {
	if f.source == nil {
		return 0
	}
	return f.source.Unanswered() - f.before
}

// answered truncates a stack before the first frame with an open query. It walks the
// stack again to find that frame: the queries for a frame do not depend on the number of frames
// that follow.
func (a *analysis) answered(input unwind.Input, stack *unwind.Stack, before int) (left bool) {
	if a.lookup.unanswered() == before {
		return false
	}
	n := sort.Search(len(stack.Frames), func(n int) bool {
		input.Frames = n + 1
		before := a.lookup.unanswered()
		unwind.Walk(input)
		return a.lookup.unanswered() > before
	})
	stack.Frames = stack.Frames[:min(max(n, 1), len(stack.Frames))]
	return true
}
