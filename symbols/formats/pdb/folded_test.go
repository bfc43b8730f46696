package pdb

import (
	"fmt"
	"testing"

	"crashglass/core/testkit/asm"
)

// TestFoldedLines has two functions of one module whose code is the same, and
// was kept once. Lines and inlined calls are those of the function that is named.
func TestFoldedLines(t *testing.T) {
	first, second := linesOf(t, 1, 0, 0x10, 0, 0, 7), linesOf(t, 1, 0, 0x10, 0, 0, 70, 8, 71)
	for _, tt := range []struct {
		name   string
		blocks [][]byte
		want   string
	}{
		{"one each", [][]byte{first, second}, "one() 1000 10 true: 1000 10 7"},
		{"only of one", [][]byte{second}, "one() 1000 10 true: 1000 8 70, 1008 8 71"},
	} {
		p := example(t)
		sym := symbolRecords()
		for _, name := range []string{"one", "two"} {
			addProc(t, sym, name, 0, 1, 0, 0x10)
			addEnd(t, sym, 6)
		}
		c13 := asm.At(0).Bytes(checksums(t, 1))
		for _, block := range tt.blocks {
			c13.Bytes(block)
		}
		p.publics = nil
		p.modules = []object{{"m.obj", sym, c13, [][3]uint32{{1, 0, 0x10}}}}
		fn := listing(t, openBytes(t, p.build(t))).functions[0]
		got := fmt.Sprintf("%s() %x %x %v", fn.Name, fn.Start, fn.Size, fn.Multiple)
		for i, line := range fn.Lines {
			got += fmt.Sprintf("%s %x %x %d", []string{":", ","}[min(i, 1)], line.Start, line.Size, line.Line)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
