package decompress

import (
	"bytes"
	"io"
	"testing"
)

// Whatever is said to be compressed ends, and takes no more memory than its
// window: a megabyte of what comes out is read.
func FuzzAll(f *testing.F) {
	for _, head := range []string{"\x28\xb5\x2f\xfd", "\xfd7zXZ\x00\x00\x04", "BZh9", "\x04\x22\x4d\x18", "\x1f\x8b\x08"} {
		f.Add([]byte(head + "some bytes that are not compressed"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, open := range All() {
			r, err := open(bytes.NewReader(data))
			if err != nil {
				continue
			}
			if n, _ := io.Copy(io.Discard, io.LimitReader(r, 1<<20)); n > 1<<20 {
				t.Errorf("%s: %d bytes", name, n)
			}
		}
	})
}
