// Package expect has checks that tests of several packages share: the text of an error, and the
// memory that a call allocates. A failed check fails the test that called it.
package expect

import (
	"runtime"
	"testing"
)

// Error compares the whole text of an error; "" means no error.
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

// Allocated returns the number of bytes that a function allocates, including freed ones.
func Allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
