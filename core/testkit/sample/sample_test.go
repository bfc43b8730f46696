package sample

import (
	"runtime"
	"testing"
)

func TestOf(t *testing.T) {
	want := map[int]int{0: 0, 1: 1, 3: 3, 8: 8, 1000: 1000}
	if runtime.GOOS == "js" {
		want = map[int]int{0: 0, 1: 1, 3: 1, 8: 2, 1000: 250}
	}
	for n, want := range want {
		if got := Of(n); got != want {
			t.Errorf("Of(%d) = %d, want %d", n, got, want)
		}
	}
}
