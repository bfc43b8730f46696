package minidump

import (
	"encoding/binary"
	"strings"
	"testing"

	"crashglass/core/testkit/dump"
)

// Parts that are empty, that touch, or that lie behind the end are damage, and so are more than a report can need: a small stream cannot cost
// a large list.
func TestRemovedData(t *testing.T) {
	list := func(numbers ...uint64) (data []byte) {
		for _, n := range numbers {
			data = binary.AppendUvarint(data, n)
		}
		return data
	}
	for name, c := range map[string]struct {
		stream []byte
		parts  int
		why    string
	}{
		"parts":         {list(0, 4, 8, 4), 2, ""},
		"an empty part": {list(8, 4, 1, 0, 1, 4), 1, "part 1 is empty"},
		"touching":      {list(8, 4, 0, 4), 1, "part 1 is empty, touches"},
		"far":           {list(8, 4, 1<<40, 4), 1, "lies beyond the end"},
		"cut":           {list(8, 4, 1), 1, "part 1"},
		"many zeros":    {make([]byte, 1<<16), 0, "part 0 is empty"},
	} {
		b := dump.New()
		b.Stream(uint32(RemovedDataStream), b.Section().Bytes(c.stream))
		f, err := Open(source(b.Build(t)))
		if err != nil {
			t.Fatal(err)
		}
		parts, err := f.RemovedData()
		if len(parts) != c.parts || (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %d parts, %v; want %d, %q", name, len(parts), err, c.parts, c.why)
		}
	}
}
