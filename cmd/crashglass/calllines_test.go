package main

import (
	"strings"
	"testing"
)

// Without --inlines, code of inlined functions has the line of the call, as Mozilla's dump_syms writes it.
func TestCallLines(t *testing.T) {
	const head = "MODULE Linux x86_64 0 a\nFILE 0 a.cc\nFILE 1 a.h\n"
	for _, tt := range []struct{ name, in, want string }{
		{"no call", "FUNC 10 20 0 f\n10 8 1 0\n18 18 2 0\n", "FUNC 10 20 0 f\n10 8 1 0\n18 18 2 0\n"},
		{"a call of several lines, and one inside of it", "FUNC 10 30 0 f\nINLINE 0 7 0 0 18 10\nINLINE 1 70 1 1 1c 4\n10 8 6 0\n18 4 70 1\n1c 4 71 1\n20 8 72 1\n28 18 8 0\n",
			"FUNC 10 30 0 f\n10 8 6 0\n18 10 7 0\n28 18 8 0\n"},
		{"equal lines become one", "FUNC 10 30 0 f\nINLINE 0 6 0 0 18 8\n10 8 6 0\n18 8 70 1\n20 8 6 0\n", "FUNC 10 30 0 f\n10 18 6 0\n"},
		{"a line with two calls", "FUNC 10 30 0 f\nINLINE 0 7 0 0 18 4 20 4\n10 18 6 0\n", "FUNC 10 30 0 f\n10 8 6 0\n18 4 7 0\n1c 4 6 0\n20 4 7 0\n24 4 6 0\n"},
		{"calls out of order that overlap", "FUNC 10 30 0 f\nINLINE 0 9 0 0 1c 8\nINLINE 0 7 0 0 18 8\n10 18 6 0\n", "FUNC 10 30 0 f\n10 8 6 0\n18 8 7 0\n20 4 9 0\n24 4 6 0\n"},
		{"a call without a line", "FUNC 10 30 0 f\nINLINE 0 0 0 0 18 8\n10 8 6 0\n18 8 70 1\n20 8 8 0\n", "FUNC 10 30 0 f\n10 8 6 0\n20 8 8 0\n"},
		{"the calls of another function", "FUNC 10 8 0 f\nINLINE 0 7 0 0 10 100\n10 8 70 1\nFUNC 20 8 0 g\n20 8 9 0\nPUBLIC 30 0 h\n", "FUNC 10 8 0 f\n10 8 7 0\nFUNC 20 8 0 g\n20 8 9 0\nPUBLIC 30 0 h\n"},
		{"ranges that wrap", "FUNC 10 8 0 f\nINLINE 0 7 0 0 fffffffffffffff8 10\n10 8 6 0\nfffffffffffffff0 20 5 0\n", "FUNC 10 8 0 f\n10 8 6 0\n"},
	} {
		var out strings.Builder
		e := symEditor{symEdit: symEdit{noGenerator: true}, w: &out}
		if _, err := e.Write([]byte(head + "INLINE_ORIGIN 0 g\n" + tt.in)); err != nil {
			t.Fatal(err)
		}
		if err := e.flush(); err != nil || out.String() != head+tt.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, out.String(), head+tt.want)
		}
	}
}
