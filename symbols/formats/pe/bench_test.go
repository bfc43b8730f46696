package pe

import (
	"testing"

	"crashglass/core/stack/unwind"
)

// BenchmarkEachCallFrame lists the rules of an image with 1,547 functions.
func BenchmarkEachCallFrame(b *testing.B) {
	data := corpusFile(b, "dump_syms/windows/mozwer.dll")
	rows := 0
	for b.Loop() {
		f := open(b, data)
		if err := f.EachCallFrame(func(t *unwind.CallFrameTable) error { rows += len(t.Rows); return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows)/float64(b.N), "rows/op")
}

// BenchmarkCallFrame asks for one address after the other.
func BenchmarkCallFrame(b *testing.B) {
	f := open(b, corpusFile(b, "dump_syms/windows/mozwer.dll"))
	entries := f.functions().entries
	i := 0
	for b.Loop() {
		e := entries[i%len(entries)]
		f.CallFrame(uint64(e.begin+e.end) / 2)
		i++
	}
}
