package symbols

import (
	"fmt"
	"testing"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/formats/sniff"
)

// BenchmarkFor asks for modules among thousands of files that were dropped.
func BenchmarkFor(b *testing.B) {
	s := NewStore(Options{})
	for i := range 5000 {
		name := fmt.Sprintf("libmodule%d.so", i)
		s.Add(name+".sym", source(sym(fmt.Sprintf("%032X0", i+1), name)))
	}
	for n := 0; b.Loop(); n++ {
		i := n % 5000
		if _, st := s.For(&module.Module{DebugFile: fmt.Sprintf("/usr/lib/libmodule%d.so", i), DebugID: fmt.Sprintf("%032X0", i+1)}); st.State != report.SymbolsMatched {
			b.Fatal(st)
		}
	}
}

// BenchmarkSniff looks at the start of a symbol file, as for each member of an archive.
func BenchmarkSniff(b *testing.B) {
	head := make([]byte, 0, sniff.Size)
	for i := 0; len(head) < sniff.Size-64; i++ {
		head = fmt.Appendf(head, "FUNC %x 10 0 function_%d\n", i*16, i)
	}
	b.SetBytes(int64(len(head)))
	for b.Loop() {
		if sniff.Of(head) != sniff.Breakpad {
			b.Fatal("not known")
		}
	}
}
