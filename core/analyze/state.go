package analyze

import (
	"slices"

	"crashglass/core/cause/waits"
	"crashglass/core/report"
)

// stateDepth is the number of innermost frames that are examined. A wait passes through two or
// three wrappers of the C library.
const stateDepth = 6

// threadState returns a word for what a thread does, by the certain names of its innermost functions;
// nil if there are none. A join comes first: it is a wait, too, but its function is further out.
func threadState(frames []report.Frame) *string {
	if len(frames) == 0 || frames[0].Function == nil || frames[0].Uncertain(false) {
		return nil
	}
	state, unclear := "", false
	for i := range min(len(frames), stateDepth) {
		f := &frames[i]
		unclear = unclear || f.Function != nil && f.Uncertain(false) && blocking(*f.Function) != ""
		for _, name := range f.CertainNames() {
			switch s := blocking(name); {
			case s == "":
			case s == joining:
				return ptr(s)
			case state == "":
				state = s
			}
		}
	}
	switch {
	case state != "":
		return ptr(state)
	case unclear:
		return nil
	}
	return ptr("Running")
}

// isBlocked reports whether the innermost function of a thread waits in the kernel.
func isBlocked(frames []report.Frame) bool {
	if len(frames) == 0 {
		return false
	}
	return slices.ContainsFunc(frames[0].CertainNames(), func(name string) bool { return blocking(name) != "" })
}

const (
	waiting  = "Waiting"
	sleeping = "Sleeping"
	polling  = "Polling"
	joining  = "Joining a thread"
)

func stateOf(k waits.Kind) string {
	switch k {
	case waits.Join:
		return joining
	case waits.Sleep:
		return sleeping
	case waits.Poll:
		return polling
	}
	return waiting
}

// blocking returns the word for a function that waits, or "".
func blocking(function string) string {
	if k := waits.MeaningOf(function); k != "" {
		return stateOf(k)
	}
	return ""
}
