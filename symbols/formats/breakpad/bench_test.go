package breakpad

import (
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/sample"
)

// generated is a symbol file like those of C++ programs: of 32 records 24 are
// lines, 5 inlines and 2 rows of call frame information, in lines of 30 bytes.
func generated(funcs int) string {
	rnd := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	b.WriteString("MODULE Linux x86_64 0102030405060708090A0B0C0D0E0F100 big\n")
	for i := range funcs / 8 {
		fmt.Fprintf(&b, "FILE %d /build/src/directory%d/file_name%d.cc\n", i, i%97, i)
	}
	for i := range funcs / 2 {
		fmt.Fprintf(&b, "INLINE_ORIGIN %d ns::Class%d<int, ns::Other>::method(char const*)\n", i, i)
	}
	for i := range funcs {
		at := 0x10000 + i*0x200
		fmt.Fprintf(&b, "FUNC %x 1f0 0 ns::Class%d::function(int, std::string const&)\n", at, i)
		for k := range 5 {
			fmt.Fprintf(&b, "INLINE %d %d %d %d %x %x\n", k%3, rnd.IntN(5000), rnd.IntN(1000), rnd.IntN(funcs/2+1), at+k*16, 64)
		}
		for k := range 24 {
			fmt.Fprintf(&b, "%x %x %d %d\n", at+k*20, 20, rnd.IntN(5000), rnd.IntN(1000))
		}
	}
	for i := range funcs {
		at := 0x10000 + i*0x200
		fmt.Fprintf(&b, "STACK CFI INIT %x 1f0 .cfa: $rsp 8 + .ra: .cfa -8 + ^\nSTACK CFI %x .cfa: $rsp 16 +\n", at, at+1)
	}
	return b.String()
}

// perf is the large real file of the corpus.
func perf(t testing.TB) string {
	f, err := os.Open(corpus + "/perf/minidump-stackwalk.sym.gz")
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func benchmarkScan(b *testing.B, data string, parts int) {
	src := bin.NewSource(strings.NewReader(data), int64(len(data)))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var f *File
	for b.Loop() {
		var err error
		if f, err = Open(src, Options{Parts: parts}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*float64(f.Stats().IndexBytes)/float64(len(data)), "index-%")
}

func BenchmarkScan(b *testing.B) {
	inputs := map[string]string{"generated": generated(100_000)}
	b.Run("generated/1", func(b *testing.B) { benchmarkScan(b, inputs["generated"], 1) })
	b.Run("generated/2", func(b *testing.B) { benchmarkScan(b, inputs["generated"], 2) })
	b.Run("perf/1", func(b *testing.B) { benchmarkScan(b, perf(b), 1) })
	b.Run("perf/2", func(b *testing.B) { benchmarkScan(b, perf(b), 2) })
}

func BenchmarkLocate(b *testing.B) {
	data := generated(100_000)
	f := openString(b, data, Options{})
	rnd := rand.New(rand.NewPCG(2, 2))
	b.Run("anywhere", func(b *testing.B) {
		for b.Loop() {
			f.Locate(0x10000 + rnd.Uint64N(100_000*0x200))
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			f.Locate(0x10000 + rnd.Uint64N(50)*0x200)
		}
	})
	b.Run("function", func(b *testing.B) {
		for b.Loop() {
			f.Function(0x10000 + rnd.Uint64N(100_000*0x200))
		}
	})
}

// TestIndexSize holds the promise that an index takes at most 5 % of its file.
func TestIndexSize(t *testing.T) {
	files := map[string]string{"generated": generated(20_000)}
	if sample.Step() == 1 {
		files["perf"] = perf(t)
	}
	for name, data := range files {
		f := openString(t, data, Options{})
		if n := f.Stats().IndexBytes; n*20 > len(data) {
			t.Errorf("%s: the index of %d bytes takes %d, more than 5 %%", name, len(data), n)
		}
	}
}

// TestPerfAnswersOfTheReference asks the large file a few hundred questions.
func TestPerfAnswersOfTheReference(t *testing.T) {
	if testing.Short() || sample.Step() > 1 {
		t.Skip("parses 109 MB the naive way")
	}
	compareFile(t, "perf", perf(t))
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte("\xff\xfe" + "F\x00U\x00N\x00C\x00 \x001\x00 \x001\x00 \x000\x00 \x00f\x00\n\x00"))
	for seed := range uint64(20) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 9))}
		f.Add([]byte(m.file()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := openString(t, string(data), Options{Parts: 1})
		parts := openString(t, string(data), Options{Parts: 3})
		if file.Stats().IndexBytes > 64*len(data)+4096 {
			t.Errorf("an index of %d bytes for %d", file.Stats().IndexBytes, len(data))
		}
		var ref *reference
		if file.t.unit == 1 && file.t.base == 0 && len(data) < maxLine {
			ref = parseReference(string(data))
		}
		for _, addr := range []uint64{0, 1, 2, 0x10, 0x100, 0x1000, 0x1018, 0x2000, 0x5000, ^uint64(0)} {
			if ref != nil {
				compare(t, "whole", file, ref, addr)
				compare(t, "parts", parts, ref, addr)
			}
			file.Locate(addr)
			file.CallFrame(addr)
			file.WinFrame(addr)
			file.Function(addr)
		}
		file.Notes()
	})
}
