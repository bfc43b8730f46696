package dwarf

import (
	"debug/elf"
	"path/filepath"
	"testing"

	"crashglass/core/base/recent"
	"crashglass/core/stack/symbolize"
)

// benchFile is debug information of a C++ program, 700 KB of entries.
func benchFile(b *testing.B) *elf.File {
	file, err := elf.Open(filepath.Join(corpus, "public/native/symbolic/linux/crash.debug"))
	if err != nil {
		b.Skip("no corpus: ", err)
	}
	b.Cleanup(func() { file.Close() })
	return file
}

func BenchmarkEachFunction(b *testing.B) {
	file := benchFile(b)
	f := openSections(file)
	b.SetBytes(int64(file.Section(".debug_info").Size))
	b.ReportAllocs()
	for b.Loop() {
		if err := f.EachFunction(func(*symbolize.Function) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstAnswer opens and asks once.
func BenchmarkFirstAnswer(b *testing.B) {
	file := benchFile(b)
	f := openSections(file)
	covered, err := f.Covered()
	if err != nil || len(covered) == 0 {
		b.Fatal(len(covered), err)
	}
	b.ReportAllocs()
	for b.Loop() {
		f.x, f.cache, f.last = nil, recent.Cache[uint64, *parsed]{}, nil
		if _, ok := f.Locate(covered[0].Start); !ok {
			b.Fatal("no answer")
		}
	}
}

func BenchmarkLocate(b *testing.B) {
	f := openSections(benchFile(b))
	covered, err := f.Covered()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.Locate(covered[i%len(covered)].Start)
	}
}
