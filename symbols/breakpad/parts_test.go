package breakpad

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

func TestNewline(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		b := make([]byte, rnd.IntN(40))
		for i := range b {
			b[i] = "\n\x0b\x09\x8a\x00\xff a"[rnd.IntN(8)]
			if rnd.IntN(4) > 0 {
				b[i] = 'x'
			}
		}
		from := rnd.IntN(len(b) + 1)
		want := len(b)
		if i := bytes.IndexByte(b[from:], '\n'); i >= 0 {
			want = from + i
		}
		if got := newline(b, from); got != want {
			t.Fatalf("newline(%q, %d) = %d, want %d", b, from, got, want)
		}
	}
}

func TestGrid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, width := range []int{1, 2, 3} {
		for _, large := range []int{-1, 0, 5, blockLen, 2*blockLen + 7} { // row with values beyond 32 bits
			var g grid
			var want [][3]uint64
			for i := range 3*blockLen + 11 {
				v := [3]uint64{uint64(rnd.Uint32()), uint64(rnd.Uint32()), uint64(i)}
				if i == large {
					v = [3]uint64{1<<63 | 5, 1 << 32, 1<<40 + 1}
				}
				g.add(width, v[0], v[1], v[2])
				want = append(want, v)
			}
			g.Swap(3, 2*blockLen)
			want[3], want[2*blockLen] = want[2*blockLen], want[3]
			for i, row := range want {
				for k := range width {
					if g.at(i, k) != row[k] {
						t.Fatalf("width %d: row %d is %#x, want %#x", width, i, g.at(i, k), row[k])
					}
				}
			}
			if n := g.bytes(); large < 0 && n > 4*width*(g.n+blockLen) {
				t.Errorf("width %d: %d bytes for %d rows", width, n, g.n)
			}
		}
	}
}

func TestOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, shape := range []func(i int) uint64{
		func(i int) uint64 { return uint64(i) },
		func(i int) uint64 { return uint64(1000 - i) },
		func(i int) uint64 { return uint64(i % 300) },
		func(i int) uint64 { return uint64(i / 7 % 11) },
		func(int) uint64 { return 5 },
		func(int) uint64 { return rnd.Uint64N(50) },
		func(int) uint64 { return rnd.Uint64() },
	} {
		for _, n := range []int{0, 1, 2, 3, 10, 1000, 5000} {
			var g, h grid
			for i := range n {
				v := shape(i)
				g.add(2, v, uint64(i), 0)
				h.add(2, v, uint64(i), 0)
			}
			order(&g)
			sort.Stable(&h)
			for i := range n {
				if g.at(i, 0) != h.at(i, 0) || g.at(i, 1) != h.at(i, 1) {
					t.Fatalf("%d entries: entry %d is %d from %d, want %d from %d", n, i, g.at(i, 0), g.at(i, 1), h.at(i, 0), h.at(i, 1))
				}
			}
		}
	}
}

func TestCuts(t *testing.T) {
	data := generated(20_000)
	f := openString(t, data, Options{Parts: 1})
	cuts, err := f.t.cuts(5)
	if err != nil || len(cuts) != 6 || !slices.IsSorted(cuts) {
		t.Fatalf("cuts %v, %v", cuts, err)
	}
	for _, at := range cuts[1:5] {
		if k, _ := kindOf([]byte(data[at : at+40])); k != kindFunc && k != kindInit || data[at-1] != '\n' {
			t.Errorf("a part begins at %#x with %q", at, data[at-1:at+40])
		}
	}
	parts := openString(t, data, Options{Parts: 5})
	if a, b := f.Stats(), parts.Stats(); a.Funcs != b.Funcs || a.CFI != b.CFI || a.IndexBytes != b.IndexBytes {
		t.Errorf("in one piece %+v, in parts %+v", a, b)
	}
}

// TestChunks puts the ends of chunks everywhere in lines of every length.
func TestChunks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var b bytes.Buffer
	var want []uint64
	for b.Len() < 3*chunk {
		at := uint64(b.Len())
		name := bytes.Repeat([]byte("n"), 1+rnd.IntN(5000))
		if rnd.IntN(100) == 0 {
			name = bytes.Repeat([]byte("n"), maxLine-100+rnd.IntN(200))
		}
		line := fmt.Appendf(nil, "FUNC %x 1 0 ", at)
		line = append(line, name...)
		if len(line) <= maxLine {
			want = append(want, at)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	f := openString(t, b.String(), Options{Parts: 1})
	if f.Stats().Funcs != len(want) {
		t.Errorf("%d functions, want %d", f.Stats().Funcs, len(want))
	}
	for _, at := range want {
		if off, ok := f.x.funcs.find(at); !ok || off != int64(at) {
			t.Fatalf("the function at %#x is found at %#x, %v", at, off, ok)
		}
	}
}
