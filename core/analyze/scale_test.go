package analyze

import (
	"fmt"
	"testing"
	"time"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
	"crashglass/core/testkit/sample"
)

// The cost of the largest sensible lists is linear: ten times the entries cost about ten times as
// much, not a hundred times.
func TestLongLists(t *testing.T) {
	base := func(i int) uint64 { return 0x10_0000_0000 + uint64(i)*0x3000 }
	lists := []struct {
		name string
		add  func(b *dump.Builder, n int)
	}{
		{"modules", func(b *dump.Builder, n int) {
			for i := range n {
				b.Module(dump.Module{Base: base(i), Size: 0x1000, Name: fmt.Sprintf("/lib/m%d", i)})
			}
		}},
		{"modules over each other", func(b *dump.Builder, n int) {
			for i := range n {
				b.Module(dump.Module{Base: base(i), Size: 0x8000_0000, Name: "/lib/same"})
			}
		}},
		{"unloaded modules", func(b *dump.Builder, n int) {
			for i := range n {
				b.Unloaded(dump.Module{Base: base(i), Size: 0x8000_0000, Name: "gone.dll"})
			}
		}},
		{"memory", func(b *dump.Builder, n int) {
			label := b.Blob(make([]byte, 0x100))
			s := asm.At(0).U32(uint32(n))
			for i := range n {
				dump.Location(s.U64(base(i)), label)
			}
			b.Stream(5, s)
		}},
		{"overlapping memory", func(b *dump.Builder, n int) {
			label := b.Blob(make([]byte, 0x100))
			s := asm.At(0).U32(uint32(n))
			for i := range n {
				dump.Location(s.U64(0x1000+uint64(i%7*0x80+i)), label)
			}
			b.Stream(5, s)
		}},
		{"64-bit memory", func(b *dump.Builder, n int) {
			s := asm.At(0).U64(uint64(n), 0)
			for i := range n {
				s.U64(base(i), 0x10)
			}
			b.Stream(9, s)
		}},
		{"regions", func(b *dump.Builder, n int) {
			s := asm.At(0).U32(16, 48).U64(uint64(n))
			for i := range n {
				s.U64(base(i), base(i)).U32(4, 0).U64(0x2000).U32(0x1000, 4, 0x20000, 0)
			}
			b.Stream(16, s)
		}},
		{"mappings", func(b *dump.Builder, n int) {
			s := asm.At(0)
			for i := range n {
				s.Text(fmt.Sprintf("%x-%x r-xp 0 00:00 0 /lib/m%d\n", base(i), base(i)+0x2000, i))
			}
			b.Stream(0x47670009, s)
		}},
	}
	for _, l := range lists {
		t.Run(l.name, func(t *testing.T) {
			took := func(n, times int) time.Duration {
				b := dump.New().System(dump.AMD64, dump.Linux, "x")
				stack := asm.At(0x7000)
				for i := range 64 {
					stack.U64(base(i*50)+0x10, 0x7000)
				}
				b.Thread(dump.Thread{ID: 1, StackBase: 0x7000, Stack: stack.Build(t),
					Context: b.Context(t, dump.AMD64, map[string]uint64{"rip": base(3) + 8, "rsp": 0x7000})})
				b.Exception(dump.Exception{Thread: 1, Code: 11, Address: 8})
				l.add(b, n)
				src := source(b.Build(t))
				best := time.Hour
				for range times { // the machine may be busy with something else
					start := time.Now()
					if _, err := Dump(src, nil, Options{}); err != nil {
						t.Fatal(err)
					}
					best = min(best, time.Since(start))
				}
				return best
			}
			var few, many time.Duration
			for range 8 { // on a busy machine the two are measured under different loads
				few, many = took(sample.Of(3_200), 3), took(sample.Of(32_000), 1)
				if many <= 30*few+50*time.Millisecond {
					t.Logf("%d in %v, ten times as many in %v", sample.Of(3_200), few, many)
					return
				}
			}
			t.Errorf("ten times the entries take %v instead of %v", many, few)
		})
	}
}
