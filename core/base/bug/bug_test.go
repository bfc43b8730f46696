package bug

import (
	"slices"
	"strings"
	"testing"
)

func caught(f func()) (err error) {
	defer Catch(&err)
	f()
	return nil
}

func TestCatch(t *testing.T) {
	none := []int{}
	index := func() { none[len(none)]++ }
	for _, tt := range []struct {
		name, want string
		f          func()
	}{
		{"index", "index out of range [0] with length 0 in core/base/bug.TestCatch", index},
		{"content", "panic of type string in core/base/bug.TestCatch", func() { panic("a password") }},
		{"library", "in core/base/bug.TestCatch", func() { slices.SortFunc(make([]int, 2), func(a, b int) int { return none[a] }) }},
	} {
		err := caught(tt.f)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "password") {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if err := caught(func() {}); err != nil {
		t.Error(err)
	}
}

// TestAgain passes a panic from one goroutine to another.
func TestAgain(t *testing.T) {
	first := caught(func() { panic("first") })
	if again := caught(func() { panic(first) }); again != first {
		t.Errorf("%v, want %v", again, first)
	}
}
