package capsule

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// Of a source file the lines around a frame's are kept, at their numbers.
func TestSource(t *testing.T) {
	f := sourceOf("/src/main.cc", []byte(strings.Repeat("x\n", 100)), []int{50})
	kept := string(f.Data)
	if f.Name != "src/main.cc" || strings.Count(kept, "\n") != 100 || strings.Count(kept, "x") != 2*around+1 || !strings.HasPrefix(kept, strings.Repeat("\n", 24)+"x") {
		t.Errorf("%q: %q", f.Name, kept)
	}
}

// What is stored can be unpacked, whatever its size.
func TestStored(t *testing.T) {
	for _, size := range []int{0, 1, storedBlock, storedBlock + 1, 3 * storedBlock} {
		data := bytes.Repeat([]byte("ab"), size)[:size]
		var b bytes.Buffer
		if err := Stored(&b, data); err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(&b)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d came back, %v", size, len(got), err)
		}
	}
}
