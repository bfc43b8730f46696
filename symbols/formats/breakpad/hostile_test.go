package breakpad

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"crashglass/core/base/bin"
)

// hostile are files that make a reader slow or wrong, of about n bytes.
var hostile = map[string]func(n int) string{
	"noise": func(n int) string { return strings.Repeat("What is this?\n", n/14) },
	"NULs":  func(n int) string { return "MODULE Linux x86_64 0 x\n" + strings.Repeat("\x00", n) },
	"lines of 1 MiB": func(n int) string {
		return "FUNC 1000 10 0 f\n" + strings.Repeat("FUNC 2000 10 0 "+strings.Repeat("n", maxLine)+"\n", n/maxLine+1)
	},
	"names of nearly 1 MiB": func(n int) string {
		return strings.Repeat("FUNC 1000 10 0 "+strings.Repeat("n", maxLine-20)+"\n", n/maxLine+1)
	},
	"lines before any FUNC":  func(n int) string { return strings.Repeat("1000 10 1 0\n", n/12) + "FUNC 1000 10 0 f\n" },
	"rows before any INIT":   func(n int) string { return strings.Repeat("STACK CFI 1000 .cfa: 1\n", n/23) },
	"nothing but line feeds": func(n int) string { return strings.Repeat("\n", n) },
	"descending": func(n int) string {
		return records(n, func(i, of int) string { return fmt.Sprintf("FUNC %x 10 0 f\n", (of-i)*16) })
	},
	"shuffled": func(n int) string {
		rnd := rand.New(rand.NewPCG(1, 1))
		return records(n, func(int, int) string { return fmt.Sprintf("FUNC %x 10 0 f\n", rnd.IntN(1<<24)*16) })
	},
	"nested": func(n int) string {
		return records(n, func(i, of int) string { return fmt.Sprintf("FUNC %x %x 0 f\n", i, 2*(of-i)) })
	},
	"all at one place": func(n int) string {
		return records(n, func(i, of int) string { return fmt.Sprintf("FUNC 1000 %x 0 f\n", i+1) })
	},
	"sizes that lie": func(n int) string {
		return records(n, func(i, of int) string { return fmt.Sprintf("FUNC %x ffffffffffff 0 f\n", i*16) })
	},
	"saw": func(n int) string {
		return records(n, func(i, of int) string { return fmt.Sprintf("PUBLIC %x 0 p\n", i%2*1000000+i) })
	},
	"numbers with gaps": func(n int) string {
		return records(n, func(i, of int) string { return fmt.Sprintf("FILE %d f\n", 4000000000-i*7) })
	},
	"one body in pieces": func(n int) string {
		return "FUNC 1000 ffff 0 f\n" + records(n, func(i, of int) string {
			return fmt.Sprintf("%x 1 1 0\nSTACK WIN 0 %x 1 0 0 0 0 0 0 0 0\n", 0x1000+i, i)
		})
	},
}

// records makes records of together about n bytes.
func records(n int, record func(i, of int) string) string {
	var b strings.Builder
	of := n / 20
	for i := 0; b.Len() < n; i++ {
		b.WriteString(record(i, max(of, i+1)))
	}
	return b.String()
}

// metered counts the reads of a file, and their bytes.
type metered struct {
	io.ReaderAt
	bytes, calls atomic.Int64
}

func (m *metered) ReadAt(p []byte, off int64) (int, error) {
	m.bytes.Add(int64(len(p)))
	m.calls.Add(1)
	return m.ReaderAt.ReadAt(p, off)
}

// TestHostileCosts opens files of two sizes. The bytes that are read, and the memory of the index, may
// grow only as fast as the files.
func TestHostileCosts(t *testing.T) {
	const small, times = 1 << 20, 8
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) {
			var scan, calls, asked, index [2]int64
			for i, n := range []int{small, times * small} {
				data := make(n)
				m := &metered{ReaderAt: strings.NewReader(data)}
				f, err := Open(bin.NewSource(m, int64(len(data))), Options{Parts: 1 + 2*i})
				if err != nil {
					t.Fatal(err)
				}
				scan[i], calls[i] = m.bytes.Load(), m.calls.Load()
				if limit := int64(len(data))*5/4 + 4*maxLine; scan[i] > limit {
					t.Errorf("the scan of %d bytes reads %d", len(data), scan[i])
				}
				for addr := range uint64(200) {
					f.Locate(0x1000 + addr*0x10)
					f.CallFrame(0x1000 + addr*0x10)
				}
				asked[i] = m.bytes.Load() - scan[i]
				index[i] = int64(f.Stats().IndexBytes)
				if len(f.Notes()) > 8 {
					t.Errorf("%d notes", len(f.Notes()))
				}
			}
			for what, have := range map[string][2]int64{"read by the scan": scan, "reads": calls, "index": index} {
				if have[1] > 3*times/2*have[0]+4*maxLine {
					t.Errorf("%s: %d bytes of %d, and %d of %d times as many", what, have[0], small, have[1], times)
				}
			}
			// Answers read records of their own, and each at most maxBody.
			if asked[1] > 3*times/2*asked[0]+16*maxLine {
				t.Errorf("answers: %d bytes, and %d in a file %d times as large", asked[0], asked[1], times)
			}
		})
	}
}

// TestHostileParts scans the same files in one part and in several: nothing
// that they say may depend on it.
func TestHostileParts(t *testing.T) {
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) {
			data := make(1 << 18)
			one, three := openString(t, data, Options{Parts: 1}), openString(t, data, Options{Parts: 3})
			for addr := uint64(0); addr < 0x4000; addr += 0x33 {
				a, ok := one.Locate(addr)
				if b, ok2 := three.Locate(addr); a.Function != b.Function || a.Start != b.Start || a.Size != b.Size || ok != ok2 {
					t.Fatalf("%#x: %.40q at %#x, and %.40q at %#x in parts", addr, a.Function, a.Start, b.Function, b.Start)
				}
			}
			if a, b := fmt.Sprint(one.Notes()), fmt.Sprint(three.Notes()); a != b {
				t.Errorf("notes %s, and %s in parts", a, b)
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, make := range hostile {
		for _, n := range []int{1 << 20, 16 << 20} {
			b.Run(fmt.Sprintf("%s/%d MiB", name, n>>20), func(b *testing.B) {
				benchmarkScan(b, make(n), 1)
			})
		}
	}
}

// BenchmarkNoise is a file of ten million lines that are no records.
func BenchmarkNoise(b *testing.B) {
	const size = 14 * 10_000_000
	b.SetBytes(size)
	for b.Loop() {
		f, err := Open(bin.NewSource(repeated{"What is this?\n"}, size), Options{})
		if err != nil || f.Stats().Funcs != 0 || len(f.Notes()) != 1 {
			b.Fatal(err)
		}
	}
}
