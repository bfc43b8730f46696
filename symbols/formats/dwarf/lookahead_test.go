package dwarf

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"crashglass/core/base/bin"
)

// broken is a section that can be read up to an offset. It counts how often.
type broken struct {
	data  []byte
	good  int
	reads int
}

func (b *broken) ReadAt(p []byte, off int64) (int, error) {
	b.reads++
	n := copy(p, b.data[off:max(int(off), b.good)])
	if n < len(p) {
		return n, errors.New("the disk is gone")
	}
	return n, nil
}

var _ io.ReaderAt = (*broken)(nil)

func TestLookahead(t *testing.T) {
	data := make([]byte, 3<<20)
	for i := range data {
		data[i] = byte(i * i >> 8)
	}
	b := &broken{data: data, good: len(data)}
	l := lookahead{src: bin.NewSource(b, int64(len(data)))}
	ask := func(off, n int) {
		t.Helper()
		got, err := l.read(uint64(off), uint64(n))
		if want := data[off:min(off+n, len(data))]; err != nil || !bytes.HasPrefix(got, want) || len(got) > len(data)-off {
			t.Fatalf("%d bytes at %#x: %d bytes, %v", n, off, len(got), err)
		}
	}
	for off := 0; off < len(data); off += 1000 { // close together
		ask(off, 512)
	}
	if b.reads > 5 {
		t.Errorf("%d reads", b.reads)
	}
	b.reads = 0
	for off := 0; off < len(data); off += 100_000 {
		ask(off, 512)
		if len(l.data) > 512 {
			t.Fatalf("%d bytes are read", len(l.data))
		}
	}
	ask(0x1000, 2<<20) // a large one
	ask(0x100, 16)     // back again
	ask(len(data)-1, 512)
	ask(len(data), 512)
}

// TestLookaheadOfDamage gives what can be read, though more was asked for.
func TestLookaheadOfDamage(t *testing.T) {
	b := &broken{data: make([]byte, 2<<20), good: 1 << 19}
	l := lookahead{src: bin.NewSource(b, int64(len(b.data)))}
	for _, off := range []uint64{0, 1000, 2000, 1<<19 - 512} {
		if got, err := l.read(off, 512); err != nil || len(got) < 512 {
			t.Errorf("%#x: %d bytes, %v", off, len(got), err)
		}
	}
	const want = "dwarf: .debug_info at 0x80000: reading failed: the disk is gone"
	if got, err := l.read(1<<19-100, 512); err == nil || err.Error() != want || len(got) != 100 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
