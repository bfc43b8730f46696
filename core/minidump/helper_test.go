package minidump

import (
	"bytes"
	"runtime"
	"testing"

	"crashglass/core/bin"
	"crashglass/core/testkit/dump"
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// build opens what a builder made.
func build(t *testing.T, b *dump.Builder) *File {
	t.Helper()
	f, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func errString(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// wantErr compares a whole error.
func wantErr(t *testing.T, err error, want string) {
	t.Helper()
	if got := errString(err); got != want {
		t.Errorf("error %q,\n      want %q", got, want)
	}
}

// allocatedBy is how many bytes a function allocates, freed ones included.
func allocatedBy(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
