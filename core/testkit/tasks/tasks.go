// Package tasks has what tests of packages that find calls of runtimes share.
package tasks

import "crashglass/core/runtimes"

// EachCall calls each for the calls of all tasks, of which nil has none.
func EachCall(found *runtimes.Found, each func(runtimes.Call)) {
	if found == nil {
		return
	}
	for i := range found.Tasks {
		for _, run := range found.Tasks[i].Runs {
			for _, c := range run {
				each(c)
			}
		}
	}
}
