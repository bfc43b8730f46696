package process

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"testing"

	"crashglass/core/base/bin"
)

// dumpOf is a dump without streams, with zeros behind its header.
func dumpOf(size int) []byte {
	data := make([]byte, size)
	copy(data, "MDMP\x93\xa7\x00\x00")
	return data
}

func digestOf(t *testing.T, data []byte) string {
	t.Helper()
	d, err := Digest(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDigestOfASmallFile(t *testing.T) {
	data := dumpOf(4096)
	sum := sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, 4096), data...))
	if got, want := digestOf(t, data), fmt.Sprintf("%x", sum[:16]); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, at := range []int{100, 4095} {
		changed := dumpOf(4096)
		changed[at] = 1
		if digestOf(t, changed) == digestOf(t, data) {
			t.Errorf("byte %d does not count", at)
		}
	}
	if digestOf(t, dumpOf(4097)) == digestOf(t, data) {
		t.Error("the size does not count")
	}
}

// A counted counts the bytes that were read.
type counted struct {
	r io.ReaderAt
	n int
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	c.n += n
	return n, err
}

func TestDigestOfALargeFile(t *testing.T) {
	const size = 64 << 20
	data := dumpOf(size)
	whole := digestOf(t, data)
	for _, at := range []int{100, digestBlock - 1, (size - digestBlock) / 15 * 7, size - 1} {
		changed := dumpOf(size)
		changed[at] = 1
		if digestOf(t, changed) == whole {
			t.Errorf("byte %#x does not count", at)
		}
	}
	r := &counted{r: bytes.NewReader(data)}
	if _, err := Digest(bin.NewSource(r, size)); err != nil || r.n > size/4 {
		t.Errorf("%d of %d bytes were read, %v", r.n, size, err)
	}
}

// short is a file that ends before its size says.
type short struct{ r io.ReaderAt }

func (s short) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > 32<<20 {
		return 0, io.ErrUnexpectedEOF
	}
	return s.r.ReadAt(p, off)
}

func TestDigestOfAShortFile(t *testing.T) {
	if d, err := Digest(bin.NewSource(short{bytes.NewReader(dumpOf(64 << 20))}, 64<<20)); err == nil {
		t.Errorf("%s, though half of it cannot be read", d)
	}
}
