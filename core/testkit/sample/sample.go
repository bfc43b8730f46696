// Package sample says how much of a long series a test looks at. Natively it is all of it. As WebAssembly in Node the same code runs several times
// slower, on one CPU, and after the native run: there a part of the series has to do.
package sample

import "runtime"

// part is how many of a series' members one stands for in WebAssembly.
const part = 4

// Of returns how many of n a test looks at: n, or at least one.
func Of(n int) int {
	return max(min(n, 1), n/Step())
}

// Step returns how far it is from one member to the next.
func Step() int {
	if runtime.GOOS == "js" {
		return part
	}
	return 1
}
