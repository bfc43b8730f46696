package symbols

import (
	"strings"
	"testing"
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
