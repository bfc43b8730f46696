package waits

import (
	"fmt"
	"testing"
)

// waitFor makes threads that wait for others: -1 for none, -2 for no wait.
func waitFor(on ...int) []*Wait {
	out := make([]*Wait, len(on))
	for i, n := range on {
		if n > -2 {
			out[i] = &Wait{Thread: n}
		}
	}
	return out
}

func TestCycles(t *testing.T) {
	for _, tt := range []struct {
		name          string
		on            []int
		rings, behind string
	}{
		{"none", nil, "[]", "[]"},
		{"a chain", []int{1, 2, -1}, "[]", "[]"},
		{"two threads", []int{1, 0}, "[[0 1]]", "[]"},
		{"a thread and itself", []int{-1, 1}, "[[1]]", "[]"},
		{"three, with a tail and a stranger", []int{3, 2, 4, 1, 1, -2, 5}, "[[1 2 4]]", "[0 3]"},
		{"two rings", []int{2, 3, 0, 1}, "[[0 2] [1 3]]", "[]"},
		{"a ring that is entered in its middle begins with its lowest thread", []int{2, 2, 1}, "[[1 2]]", "[0]"},
		{"behind the first thread", []int{0, 0, 1}, "[[0]]", "[1 2]"},
		{"two tails of one ring", []int{2, 2, 3, 2, 0}, "[[2 3]]", "[0 1 4]"},
		{"a tail that ends in a thread without a wait", []int{1, 2, -2, 4, 3}, "[[3 4]]", "[]"},
		{"the index behind the last", []int{-1, 2}, "[]", "[]"},
		{"an index that no thread has", []int{9}, "[]", "[]"},
	} {
		list := waitFor(tt.on...)
		rings := Cycles(list)
		if got := fmt.Sprint(rings); got != tt.rings {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.rings)
		}
		if got := fmt.Sprint(Behind(list, rings)); got != tt.behind {
			t.Errorf("%s: behind %s, want %s", tt.name, got, tt.behind)
		}
	}
}

// A long chain that ends in a ring is walked once.
func TestCyclesAreLinear(t *testing.T) {
	const n = 1 << 18
	on := make([]int, n)
	for i := range on {
		on[i] = i + 1
	}
	on[n-1] = n - 2
	list := waitFor(on...)
	rings := Cycles(list)
	if behind := Behind(list, rings); len(rings) != 1 || len(behind) != n-2 {
		t.Errorf("%d rings, %d behind", len(rings), len(behind))
	}
}
