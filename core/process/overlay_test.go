package process

import (
	"math/rand/v2"
	"testing"
)

// TestOverlay compares with the obvious way to do it.
func TestOverlay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		const top = 64
		spans := make([]capture, rnd.IntN(12))
		var owner [top]int64 // file offset of each address, or -1
		for i := range owner {
			owner[i] = -1
		}
		for i := range spans {
			base := rnd.Uint64N(top)
			spans[i] = capture{base, min(base+rnd.Uint64N(20), top-1), int64(1000 * i)}
			for a := spans[i].base; a <= spans[i].last; a++ {
				if owner[a] < 0 {
					owner[a] = spans[i].off + int64(a-spans[i].base)
				}
			}
		}
		var got [top]int64
		for i := range got {
			got[i] = -1
		}
		out := overlay(spans)
		for i, s := range out {
			if i > 0 && s.base <= out[i-1].last {
				t.Fatalf("spans %v are not disjoint", out)
			}
			for a := s.base; a <= s.last; a++ {
				got[a] = s.off + int64(a-s.base)
			}
		}
		if got != owner {
			t.Fatalf("%v\n gives %v\n  not %v", spans, got, owner)
		}
	}
}

// TestOverlayTop covers the ends of the address space, where sums wrap.
func TestOverlayTop(t *testing.T) {
	const max = ^uint64(0)
	got := overlay([]capture{{0, max, 0}, {5, 7, 100}, {max, max, 200}})
	if len(got) != 1 || got[0] != (capture{0, max, 0}) {
		t.Errorf("everything first: %v", got)
	}
	got = overlay([]capture{{max - 1, max, 7}, {0, max, 0}})
	if len(got) != 2 || got[0] != (capture{0, max - 2, 0}) || got[1] != (capture{max - 1, max, 7}) {
		t.Errorf("everything last: %v", got)
	}
}

// TestOverlayMany bounds the work: that many ranges over each other must not
// take more than a moment.
func TestOverlayMany(t *testing.T) {
	spans := make([]capture, 1<<16)
	for i := range spans {
		spans[i] = capture{uint64(i), uint64(1<<20 - i), int64(i) << 20}
	}
	if out := overlay(spans); len(out) == 0 || len(out) > 2*len(spans) {
		t.Errorf("%d spans of %d", len(out), len(spans))
	}
}

// FuzzOverlay checks that the resulting captures are disjoint and cover the same addresses.
func FuzzOverlay(f *testing.F) {
	f.Add([]byte{0, 255, 5, 7, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		var spans []capture
		var covered [256]bool
		for ; len(data) >= 2; data = data[2:] {
			s := capture{uint64(min(data[0], data[1])), uint64(max(data[0], data[1])), 0}
			spans = append(spans, s)
			for a := s.base; a <= s.last; a++ {
				covered[a] = true
			}
		}
		var got [256]bool
		for _, s := range overlay(spans) {
			for a := s.base; a <= s.last; a++ {
				if got[a] {
					t.Fatalf("%d is covered twice", a)
				}
				got[a] = true
			}
		}
		if got != covered {
			t.Errorf("other addresses are covered")
		}
	})
}

// BenchmarkOverlay indexes as many ranges as a full dump of a large process has.
func BenchmarkOverlay(b *testing.B) {
	spans := make([]capture, 1<<16)
	for i := range spans {
		spans[i] = capture{uint64(i * 100), uint64(i*100 + 150), int64(i) << 20}
	}
	for b.Loop() {
		overlay(spans)
	}
}
