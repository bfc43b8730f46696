//go:build !js

package analyze

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/dump"
)

// keepHuge is where a huge dump is left for tests that are not in Go: the page's.
var keepHuge = flag.String("huge", "", "write a sparse dump of 6 GiB to `file` for other tests")

const hugeSize = 6 << 30

// A dump of 6 GiB opens and walks at once, in little memory, because only the needed parts are
// read. The file is mostly a hole, so the test needs little disk space.
func TestHugeDump(t *testing.T) {
	path := *keepHuge
	if path == "" {
		path = filepath.Join(t.TempDir(), "huge.dmp")
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(hugeSize); err != nil {
		t.Skip("no sparse files of 6 GiB here:", err)
	}
	dump.Huge(t, f, hugeSize)

	best, allocated := time.Hour, uint64(1<<63)
	for range 10 { // the machine may be busy with something else
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		r, err := Dump(bin.NewSource(f, hugeSize), nil, Options{})
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Threads[0].Frames); n != 17 {
			t.Fatalf("%d frames, want the crash and 16 callers", n)
		}
		if r.Dump.Memory < hugeSize-(2<<20) {
			t.Fatalf("%d bytes of memory are captured", r.Dump.Memory)
		}
		best, allocated = min(best, took), min(allocated, after.TotalAlloc-before.TotalAlloc)
	}
	t.Logf("opened and walked in %v with %d KiB", best, allocated>>10)
	if best > 100*time.Millisecond {
		t.Errorf("took %v, want at most 100 ms", best)
	}
	if allocated > 64<<20 {
		t.Errorf("allocated %d MiB, want at most 64", allocated>>20)
	}
}
