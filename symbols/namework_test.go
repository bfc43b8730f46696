package symbols

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/process/module"
)

// TestSharedNames has a thousand symbols in one long text, as far as a small
// file is concerned: some are demangled, and the rest are short.
func TestSharedNames(t *testing.T) {
	long := "_ZN" + strings.Repeat("1a", 4000) + "Ev"
	name := readableNames(10 << 10)
	whole, size := 0, 0
	for n := range 1000 {
		got := name(long[:len(long)-n%7])
		if strings.HasPrefix(got, "a::a") {
			whole++
		}
		size += len(got)
	}
	if whole == 0 || whole > leastSquares/(7000*7000)+1 || size > 3*leastNames {
		t.Errorf("%d were demangled, %d bytes", whole, size)
	}
	if got := name("_Z1fv"); got != "f()" {
		t.Errorf("a short name becomes %q", got)
	}
}

// Nine hundred functions with names of 2 to 3 KB are all demangled in a report, and in the one after
// it, too.
func TestManyLongNames(t *testing.T) {
	var file strings.Builder
	fmt.Fprintf(&file, "MODULE Linux x86_64 %032X0 app\n", 1)
	const functions = 902
	for n := range functions {
		args := strings.Repeat("St6vectorIiSaIiEE", 120+n%4*25)
		fmt.Fprintf(&file, "FUNC %x 10 0 _Z%df%04dSt5tupleIJ%sEE\n", n*16, 5, n, args)
	}
	m := &module.Module{DebugID: fmt.Sprintf("%032X0", 1), DebugFile: "app"}
	store := NewStore(Options{})
	store.Add("app.sym", source(file.String()))
	for round := range 2 {
		src, _ := store.For(m)
		left := 0
		for n := range functions {
			if loc, ok := src.Locate(uint64(n * 16)); !ok || !strings.HasPrefix(loc.Readable, fmt.Sprintf("f%04d(std::tuple<", n)) {
				left++
			}
		}
		if left > 0 {
			t.Errorf("%d names are not demangled in report %d", left, round+1)
		}
	}
}
