// Package expect has what tests of several packages ask of an outcome: the text of
// an error, and the memory that a call took.
package expect

import (
	"runtime"
	"testing"
)

// Error compares a whole error; "" is none.
func Error(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("error %q,\n      want %q", got, want)
	}
}

// Allocated is how many bytes a function allocates, freed ones included.
func Allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
