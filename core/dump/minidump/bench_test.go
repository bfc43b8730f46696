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
