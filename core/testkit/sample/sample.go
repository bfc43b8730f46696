// Package sample reduces long series of tests in WebAssembly. A native run tests every member. In
// Node the same tests run after the native ones, several times slower and on one CPU, so they test
// every sixteenth member. A series with members always has at least one.
package sample

import "runtime"

// part is the distance between tested members in WebAssembly.
const part = 16

// Of returns the number of members to test of a series of n: n natively, else a part, at least one.
func Of(n int) int {
	return max(min(n, 1), n/Step())
}

// Step returns the distance from one tested member to the next.
func Step() int {
	if runtime.GOOS == "js" {
		return part
	}
	return 1
}

// Members returns the members of a series to test: all natively, else one at each Step.
func Members[T any](all []T) (some []T) {
	for i := 0; i < len(all); i += Step() {
		some = append(some, all[i])
	}
	return some
}
