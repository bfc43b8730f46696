package microdump

import (
	"bytes"
	"runtime"
	"testing"

	"crashglass/core/bin"
	"crashglass/core/snapshot"
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// detail is what a microdump says beyond its streams.
func detail(s *snapshot.Snapshot) *Microdump { return s.Origin.Detail.(*Microdump) }

// wantErr compares a whole error; "" is none.
func wantErr(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
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
