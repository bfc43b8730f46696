package pdb

import (
	"testing"

	"crashglass/core/stack/symbolize"
)

// BenchmarkEachFunction lists the functions of a program with their lines and
// inlined calls.
func BenchmarkEachFunction(b *testing.B) {
	data := fromCorpus(b, "breakpad/dump_syms_regtest64.pdb")
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		f := openBytes(b, data)
		if err := f.EachFunction(func(f *symbolize.Function) error { lines += len(f.Lines); return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(lines)/float64(b.N), "lines/op")
}
