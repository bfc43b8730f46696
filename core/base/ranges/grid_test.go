package ranges

import (
	"math/rand/v2"
	"sort"
	"testing"
)

func TestGrid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, width := range []int{1, 2, 3} {
		for _, large := range []int{-1, 0, 5, blockLen, 2*blockLen + 7} { // row with values beyond 32 bits
			var g Grid
			var want [][3]uint64
			for i := range 3*blockLen + 11 {
				v := [3]uint64{uint64(rnd.Uint32()), uint64(rnd.Uint32()), uint64(i)}
				if i == large {
					v = [3]uint64{1<<63 | 5, 1 << 32, 1<<40 + 1}
				}
				g.Add(width, v[0], v[1], v[2])
				want = append(want, v)
			}
			g.swap(3, 2*blockLen)
			want[3], want[2*blockLen] = want[2*blockLen], want[3]
			for i, row := range want {
				for k := range width {
					if g.At(i, k) != row[k] {
						t.Fatalf("width %d: row %d is %#x, want %#x", width, i, g.At(i, k), row[k])
					}
				}
			}
			if n := g.Bytes(); large < 0 && n > 4*width*(g.n+blockLen) {
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
			var g, h Grid
			for i := range n {
				v := shape(i)
				g.Add(2, v, uint64(i), 0)
				h.Add(2, v, uint64(i), 0)
			}
			g.Order()
			sort.Stable(inPlace{&h})
			for i := range n {
				if g.At(i, 0) != h.At(i, 0) || g.At(i, 1) != h.At(i, 1) {
					t.Fatalf("%d entries: entry %d is %d from %d, want %d from %d", n, i, g.At(i, 0), g.At(i, 1), h.At(i, 0), h.At(i, 1))
				}
			}
		}
	}
}

// TestReset fills a grid again, after one with larger numbers.
func TestReset(t *testing.T) {
	var g Grid
	for i := range uint64(2 * blockLen) {
		g.Add(2, i<<33, i, 0)
	}
	was := g.Bytes()
	g.Reset()
	for i := range uint64(2 * blockLen) {
		g.Add(2, i, i+1, 0)
	}
	if g.Wide() || g.Len() != 2*blockLen || g.At(blockLen, 0) != blockLen || g.At(5, 1) != 6 || g.Bytes() != was/2 {
		t.Errorf("wide %v, %d rows, %d bytes", g.Wide(), g.Len(), g.Bytes())
	}
}
