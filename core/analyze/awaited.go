package analyze

import (
	"sort"

	"crashglass/core/unwind"
)

// An Asked Source leaves questions without an answer as long as its file is not
// read to the end. All answers that it gives are final.
type Asked interface {
	Unanswered() int // questions that were left so far
}

// unanswered is how many questions were left without an answer in this report.
func (l *lookup) unanswered() (n int) {
	for _, f := range l.known {
		n += f.unanswered()
	}
	return n
}

func (f *found) unanswered() int {
	if asked, ok := f.source.(Asked); ok {
		return asked.Unanswered() - f.before
	}
	return 0
}

// answered leaves only the frames of a stack that were found without a question
// that was left. The stack is walked again to see how far that is: what is
// asked for a frame does not depend on how many follow.
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
