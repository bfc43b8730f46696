package breakpad

import (
	"fmt"
	"testing"
)

// TestGuess has a record at 1000 of the number 100, around which four numbers
// take 10 units, and one at 5000 of the number 1100.
func TestGuess(t *testing.T) {
	a, b := mark{number: 100, at: 1000, pace: 0.4}, mark{number: 1100, at: 5000}
	for _, test := range []struct {
		what      string
		got, want int64
	}{
		{"a higher number", a.beside(140, 9999), 1100},
		{"a lower number", a.beside(60, 9999), 900},
		{"one that is too far", a.beside(1<<63, 300), 1300},
		{"one beside a record that stands alone", b.beside(1, 300), 4700},
		{"one between", between(a, b, 350), 2000},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", test.what, test.got, test.want)
		}
	}
}

// TestFirstFileIsNear asks for a FILE of symbols that have all of them in their
// first block. The search does not halve the whole file until it is there.
func TestFirstFileIsNear(t *testing.T) {
	text := []byte("MODULE Linux x86_64 000000000000000000000000000000000 near\n")
	for i := range 3 {
		text = fmt.Appendf(text, "FILE %d /near/%d.c\n", i, i)
	}
	text = append(text, "INLINE_ORIGIN 0 near::call\n"...)
	for i := range 20_000 {
		at := (i + 1) << 8
		text = fmt.Appendf(text, "FUNC %x 100 0 near::function_%d\nINLINE 0 1 1 0 %x 10\n%x 100 1 2\n", at, i, at, at)
	}
	text = append(text, "STACK CFI INIT 100 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"...)
	s := searching(t, text, 2<<10).asked.search
	before := s.scans
	if _, ok := s.find(byFile, 2); !ok {
		t.Fatal("FILE 2 is not found")
	}
	if n := s.scans - before; n > 6 {
		t.Errorf("FILE 2 took %d blocks, want at most 6", n)
	}
}
