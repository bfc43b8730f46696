package decompress

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"testing"

	"crashglass/core/base/bin"
)

func source(data []byte) bin.Source { return bin.NewSource(bytes.NewReader(data), int64(len(data))) }

// zeros compresses n zeros, which take about a thousandth.
func zeros(t *testing.T, n int) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write(make([]byte, n)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSections(t *testing.T) {
	const n = 30 << 20
	small := zeros(t, n)
	var notes []string
	s := NewSections(1<<10, func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) })
	read := func(what string, data []byte, size uint64) int {
		src := s.Open(what, source(data), 0, size, Zlib)
		got := make([]byte, min(src.Size(), n))
		k, _ := src.ReadAt(got, 0)
		return k
	}
	for _, tt := range []struct {
		what string
		data []byte
		size uint64
		want int
	}{
		{"lies", []byte("1234567890"), 1 << 30, 0},
		{"too much for the file", zeros(t, 100<<20), 100 << 20, 0},
		{"first", small, n, n},
		{"second", small, n, n},
		{"first", small, n, n}, // decompressed before
		{"third", small, n, 0},
	} {
		if got := read(tt.what, tt.data, tt.size); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.what, got, tt.want)
		}
	}
	want := "[lies: 1073741824 bytes cannot be what 10 were compressed from, which are at most 10320: they are left out" +
		" too much for the file: 104857600 bytes cannot be what 101930 were compressed from, which are at most 67174400: they are left out" +
		" third: the compressed sections of the file have more than 67174400 bytes together]"
	if got := fmt.Sprint(notes); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
