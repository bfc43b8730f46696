package dwarf

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"crashglass/core/testkit/asm"
)

// A file of version 5 has an MD5 sum; those of other versions, and names that the unit does not have, have none.
func TestSourceSum(t *testing.T) {
	body := func(s *asm.Section) { s.U8(lineCopy, lineAdvancePC, 16, 0, 1, lineEndSequence) }
	program := header{5, 1, 1}.program(t, body)
	sum := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, entry := range [][]byte{{6, 0, 0, 0, 0}, {18, 0, 0, 0, 1}} { // where the name is, and the folder; the sum follows
		program = bytes.ReplaceAll(program, append(slices.Clone(entry), make([]byte, len(sum))...), append(entry, sum...))
	}
	const want = "MD5 0102030405060708090a0b0c0d0e0f10"
	f := lineFile(t, program)
	for _, tt := range []struct {
		rel  uint64
		file string
		want string
	}{{0x1000, "/comp/first.c", want}, {0x1004, "/comp/sub/second.h", want}, {0x1000, "/comp/third.c", " "}, {0x9000, "/comp/first.c", " "}} {
		algorithm, found := f.SourceSum(tt.rel, tt.file)
		if got := fmt.Sprintf("%s %x", algorithm, found); got != tt.want {
			t.Errorf("%#x %s: %s, want %s", tt.rel, tt.file, got, tt.want)
		}
	}
	if algorithm, _ := lineFile(t, header{4, 1, 1}.program(t, body)).SourceSum(0x1000, "/comp/first.c"); algorithm != "" {
		t.Errorf("version 4 has %s", algorithm)
	}
}
