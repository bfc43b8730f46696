package minidump

import (
	"errors"
	"runtime"
	"testing"

	"crashglass/core/testkit/dump"
)

// TestThreadsShareDamage has thousands of threads whose registers lie beyond the
// end of the file. The error names the first and counts the others, and takes as
// much for each thread however many there are: errors that are joined one by one
// take 17 s for 1 MB.
func TestThreadsShareDamage(t *testing.T) {
	few, many := damagedThreads(t, 500), damagedThreads(t, 8000)
	if most := 2 * 8000 / 500 * few; many > most {
		t.Errorf("%d bytes for 8000 threads and %d for 500, want at most %d", many, few, most)
	}
}

// damagedThreads reads so many threads, and returns how many bytes that and the
// sentence on their damage took.
func damagedThreads(t *testing.T, threads int) uint64 {
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	for n := range threads {
		b.Thread(dump.Thread{ID: uint32(n), Context: []byte("short")})
	}
	f, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	before := allocated()
	list, err := f.Decode(ThreadListStream)
	text := err.Error()
	taken := allocated() - before

	var damage *Damage
	if !errors.As(err, &damage) || damage.More != threads-1 || len(text) > 300 {
		t.Errorf("%.300v", err)
	}
	if n := len(list.([]ThreadDetail)); n != threads {
		t.Errorf("%d threads", n)
	}
	return taken
}

// allocated is how many bytes the test has taken so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
