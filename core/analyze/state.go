package analyze

import (
	"crashglass/core/report"
	"crashglass/core/waits"
)

// stateDepth is the number of innermost frames that are examined. A wait passes through two or
// three wrappers of the C library.
const stateDepth = 6

// threadState returns a word for what a thread does, by the names of its innermost functions; nil
// if they are not known. A join comes first: it is a wait, too, but its function is further out.
func threadState(frames []report.Frame) *string {
	if len(frames) == 0 || frames[0].Function == nil {
		return nil
	}
	state := ""
	for i := range min(len(frames), stateDepth) {
		for _, name := range functionNames(&frames[i]) {
			switch s := blocking(name); {
			case s == "":
			case s == joining:
				return ptr(s)
			case state == "":
				state = s
			}
		}
	}
	if state == "" {
		state = "Running"
	}
	return ptr(state)
}

// isBlocked reports whether the innermost function of a thread waits in the kernel.
func isBlocked(frames []report.Frame) bool {
	if len(frames) == 0 {
		return false
	}
	for _, name := range functionNames(&frames[0]) {
		if blocking(name) != "" {
			return true
		}
	}
	return false
}

// functionNames lists the names in a frame, innermost first.
func functionNames(f *report.Frame) []string {
	var names []string
	for i := range f.Inlines {
		if n := f.Inlines[i].Function; n != nil {
			names = append(names, *n)
		}
	}
	if f.Function != nil {
		names = append(names, *f.Function)
	}
	return names
}

const (
	waiting  = "Waiting"
	sleeping = "Sleeping"
	polling  = "Polling"
	joining  = "Joining a thread"
)

// stateOf returns the word for a kind of wait.
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
