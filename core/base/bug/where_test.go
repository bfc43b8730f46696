package bug

import (
	"errors"
	"strings"
	"testing"
)

// The errors of the runtime say which check failed; values that are no such errors
// are recognized by their type alone, since libraries panic with what they read.
func TestWhat(t *testing.T) {
	var table map[string]int
	var node *struct{ next *int }
	zero := 0
	for _, tt := range []struct {
		name, want string
		f          func()
	}{
		{"a nil map", "this is a bug in Crashglass (assignment to entry in nil map in ", func() { table["a"] = 1 }},
		{"a nil pointer", "(invalid memory address or nil pointer dereference in ", func() { _ = *node.next }},
		{"a division", "(integer divide by zero in ", func() { _ = 1 / zero }},
		{"a slice", "(slice bounds out of range [:5] with capacity 3 in ", func() { _ = make([]int, 3)[:zero+5] }},
		{"a library's error", "(panic of type *errors.errorString in ", func() { panic(errors.New("/home/secret")) }},
		{"a library's value", "(panic of type []uint8 in ", func() { panic([]byte("secret")) }},
	} {
		err := caught(tt.f)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if !strings.HasSuffix(err.Error(), "): please report this line, the file is not needed") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// The innermost function is named, and not the one that catches, nor those between.
func TestWhere(t *testing.T) {
	err := caught(func() { outer(nil) })
	if !strings.Contains(err.Error(), " in core/base/bug.inner, line ") {
		t.Error(err)
	}
}

func outer(list []int) int { return inner(list) }

//go:noinline
func inner(list []int) int { return list[3] }
