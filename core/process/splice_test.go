package process

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"crashglass/core/base/bin"
)

// pieced is a file of a head of 4 bytes and of two pieces of a core, in the other order than in the core.
func pieced(core string) *spliced {
	pages := NewPager(bin.NewSource(strings.NewReader(core), int64(len(core))))
	memory := NewMemory(pages, false, []Range{rangeAt(0x1000, 6, 3), rangeAt(0x2000, 0, 2)}, func(error) {})
	return &spliced{memory, []byte("HEAD"), []Range{rangeAt(0x1000, 4, 3), rangeAt(0x2000, 7, 2)}}
}

// A read may begin and end anywhere: in the head, in a piece, and across all of them.
func TestSplicedReads(t *testing.T) {
	const whole = "HEADghiab"
	v := pieced("abcdefghijk")
	for at := range len(whole) + 1 {
		for end := at; end <= len(whole); end++ {
			p := make([]byte, end-at)
			if n, err := v.ReadAt(p, int64(at)); n != len(p) || err != nil || string(p) != whole[at:end] {
				t.Errorf("from %d to %d: %q, %v; want %q", at, end, p[:n], err, whole[at:end])
			}
		}
	}
	if err := iotest.TestReader(io.NewSectionReader(v, 0, int64(len(whole))), []byte(whole)); err != nil {
		t.Error(err)
	}
}

// A read beyond the end returns what there is. If the core ends within a piece, the read ends there: the
// bytes of the next piece would be in wrong places.
func TestSplicedEnds(t *testing.T) {
	for _, tt := range []struct {
		name, core string
		off        int64
		length     int
		want       string
		err        error
	}{
		{"beyond the end", "abcdefghijk", 5, 9, "hiab", io.EOF},
		{"behind the end", "abcdefghijk", 9, 1, "", io.EOF},
		{"far behind the end", "abcdefghijk", 1 << 62, 1, "", io.EOF},
		{"before the beginning", "abcdefghijk", -1, 1, "", errNegative},
		{"a core that ends within a piece", "abcdefg", 2, 7, "ADg", io.EOF},
		{"a core that ends before a piece", "abcdef", 0, 9, "HEAD", io.EOF},
	} {
		p := make([]byte, tt.length)
		n, err := pieced(tt.core).ReadAt(p, tt.off)
		if string(p[:n]) != tt.want || !errors.Is(err, tt.err) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %q, %v; want %q, %v", tt.name, p[:n], err, tt.want, tt.err)
		}
	}
}

// Blocks fill the gaps of captured memory, and nothing else.
func TestMemoryWith(t *testing.T) {
	core := "abcdef"
	pages := NewPager(bin.NewSource(strings.NewReader(core), int64(len(core))))
	m := NewMemory(pages, false, []Range{rangeAt(0x1000, 0, 6)}, func(error) {})
	more := m.With([]Block{{0x0ffe, []byte("XYZ")}, {0x2000, []byte("far")}})
	for _, tt := range []struct {
		addr uint64
		want string
	}{{0x0ffe, "XYabcdef"}, {0x2000, "far"}, {0x2003, ""}} {
		p := make([]byte, 20)
		if got := string(p[:more.Read(tt.addr, p)]); got != tt.want {
			t.Errorf("at %#x: %q, want %q", tt.addr, got, tt.want)
		}
	}
	if again := more.With([]Block{{0x3000, []byte("more")}}); again.Total() != 6+2+3+4 || m.Total() != 6 {
		t.Errorf("%d bytes, and %d before", again.Total(), m.Total())
	}
}
