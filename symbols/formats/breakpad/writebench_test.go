package breakpad

import (
	"fmt"
	"io"
	"testing"

	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/demangle"
)

// BenchmarkWrite writes a function with lines of two files, calls that were
// inlined again and again, and the rules of its prolog.
func BenchmarkWrite(b *testing.B) {
	f := symbolize.Function{Name: "_ZN4some5where8functionERKNS_4typeEi", Start: 0x1000, Size: 0x400}
	for i := range uint64(64) {
		f.Lines = append(f.Lines, symbolize.Line{Start: 0x1000 + 16*i, Size: 16, File: fmt.Sprint("src/", i/8%2, ".cc"), Line: uint32(i)})
	}
	for i := range uint64(32) {
		f.Inlines = append(f.Inlines, symbolize.InlineCall{
			Function: fmt.Sprintf("_ZN3std4pairIiiE5firstILi%dEEEiv", i%4), CallFile: "src/0.cc", CallLine: uint32(i),
			Ranges: []symbolize.Range{{Start: 0x1000 + 32*i, Size: 8}},
		})
	}
	t := unwind.CallFrameTable{Start: 0x1000, Size: 0x400, Rules: rules(".cfa: $rsp 8 +, .ra: .cfa 8 - ^")}
	for i := range uint64(8) {
		t.Rows = append(t.Rows, unwind.CallFrameRow{Addr: 0x1001 + i, Rules: rules(".cfa: $rsp 16 +, $rbp: .cfa 16 - ^")})
	}
	for b.Loop() {
		err := Write(io.Discard, Content{
			Functions: times(1000, &f), Frames: times(1000, &t),
			Name: func(name string) string { name, _ = demangle.Name(name); return name },
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// times lists a value again and again.
func times[T any](n int, v T) func(func(T) error) error {
	return func(add func(T) error) error {
		for range n {
			if err := add(v); err != nil {
				return err
			}
		}
		return nil
	}
}
