package minidump

import (
	"testing"

	"crashglass/core/testkit/dump"
)

// BenchmarkWord reads a stack word by word, as a scan does.
func BenchmarkWord(b *testing.B) {
	builder := dump.New()
	for i := range uint64(1000) {
		builder.Memory(0x10_0000+i*0x2000, make([]byte, 0x1000))
	}
	f, err := Open(source(builder.Build(b)))
	if err != nil {
		b.Fatal(err)
	}
	m, err := f.Memory()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, ok := m.Word(0x10_0000+uint64(i%512)*8, 8); !ok {
			b.Fatal("not there")
		}
	}
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
