package minidump

import (
	"errors"
	"testing"

	"crashglass/core/testkit/dump"
)

// TestThreadsShareDamage has thousands of threads whose registers lie beyond the
// end of the file. The error names the first and counts the others.
func TestThreadsShareDamage(t *testing.T) {
	const threads = 5000
	b := dump.New().System(dump.AMD64, dump.Linux, "")
	for n := range uint32(threads) {
		b.Thread(dump.Thread{ID: n, Context: []byte("short")})
	}
	f, err := Open(source(b.Build(t)))
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Decode(ThreadListStream)
	var damage *Damage
	if !errors.As(err, &damage) || damage.More != threads-1 || len(err.Error()) > 300 {
		t.Errorf("%.300v", err)
	}
	if n := len(list.([]ThreadDetail)); n != threads {
		t.Errorf("%d threads", n)
	}
}
