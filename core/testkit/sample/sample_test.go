package sample

import (
	"runtime"
	"testing"
)

func TestOf(t *testing.T) {
	want := map[int]int{0: 0, 1: 1, 3: 3, 8: 8, 1000: 1000}
	if runtime.GOOS == "js" {
		want = map[int]int{0: 0, 1: 1, 3: 1, 8: 1, 1000: 62}
	}
	for n, want := range want {
		if got := Of(n); got != want {
			t.Errorf("Of(%d) = %d, want %d", n, got, want)
		}
	}
}
