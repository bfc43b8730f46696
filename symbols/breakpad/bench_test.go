package breakpad

import (
	"bytes"
	"os"
	"testing"

	"crashglass/core/bin"
)

func BenchmarkScanPerf(b *testing.B) {
	data, err := os.ReadFile("/tmp/perf/minidump-stackwalk.sym")
	if err != nil {
		b.Skip(err)
	}
	f, _ := os.Open("/tmp/perf/minidump-stackwalk.sym")
	b.Run("memory", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{Parts: 1})
		}
	})
	b.Run("file", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		var f2 *File
		for b.Loop() {
			f2, _ = Open(bin.NewSource(f, int64(len(data))), Options{})
		}
		b.Log(f2.Stats(), f2.Notes())
		b.Log(f2.Locate(0xcb4990))
	})
}
