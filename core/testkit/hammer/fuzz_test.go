package hammer

import (
	"bytes"
	"testing"

	"crashglass/core/testkit/bomb"
	"crashglass/core/testkit/sample"
)

// The cost bound of a file of n bytes: high, because of compression, and never more than a page
// has.
const (
	leastBytes   = 256 << 20
	bytesPerByte = 64 << 10
)

// within fails where a file cost more than its size allows, or found a bug.
func within(t *testing.T, data []byte) {
	cost, err := Exercise("a", data)
	if err != nil {
		t.Fatal(err)
	}
	if cost.Bytes > leastBytes+bytesPerByte*uint64(len(data)) || cost.Time > slowest {
		t.Fatalf("%d bytes allocated %d in %v", len(data), cost.Bytes, cost.Time)
	}
}

// Any file is sorted, opened, walked, named and written within a budget.
func FuzzAsk(f *testing.F) {
	for _, files := range formats(f) {
		for _, data := range files {
			if len(data) < 64<<10 {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { within(t, data) })
}

// Dumps in which many records share one text: shapes that mutation does not find.
func FuzzShapes(f *testing.F) {
	for shape := 0; shape < len(bomb.Shapes); shape += sample.Step() {
		f.Add(uint8(shape), uint16(1000), uint16(250), byte(1))
		f.Add(uint8(shape), uint16(4000), uint16(31), byte('x'))
		f.Add(uint8(shape), uint16(30), uint16(20000), byte('"'))
	}
	f.Fuzz(func(t *testing.T, shape uint8, n, length uint16, letter byte) {
		within(t, bomb.Shared(t, int(shape)%len(bomb.Shapes), int(n%4096), string(bytes.Repeat([]byte{letter & 0x7f}, int(length)))))
	})
}
