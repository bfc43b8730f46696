package ranges_test

import (
	"fmt"

	"crashglass/core/base/ranges"
)

// A function that lies inside another one takes its own addresses away, and no
// more.
func Example() {
	names := []string{"outer", "inner"}
	var t ranges.Table
	t.Add(0x1000, 0x900, 0)
	t.Add(0x1200, 0x100, 1)
	t.Finish()
	for _, addr := range []uint64{0x1100, 0x1200, 0x1300, 0x1900} {
		if r, ok := t.Find(addr); ok {
			fmt.Printf("%#x: %s\n", addr, names[r.Value])
		}
	}
	// Output:
	// 0x1100: outer
	// 0x1200: inner
	// 0x1300: outer
}
