package capsule

import (
	"archive/tar"
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

// An archive has what was put in, and is the same each time.
func TestTar(t *testing.T) {
	long := strings.Repeat("d", 90) + "/" + strings.Repeat("1", 33) + "/" + strings.Repeat("f", 90) + ".sym"
	files := []File{{"symbols", "app/1/app.sym", []byte("MODULE")}, {"symbols", long, []byte(strings.Repeat("x", 512))}, {"symbols", "b/2/b.sym", nil}}
	var one, two bytes.Buffer
	for _, w := range []io.Writer{&one, &two} {
		if err := Tar(w, files); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("two archives of the same files differ")
	}
	r := tar.NewReader(&one)
	for _, f := range files {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if data, _ := io.ReadAll(r); h.Name != f.Name || string(data) != string(f.Data) {
			t.Errorf("%s has %q", h.Name, data)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the last file: %v", err)
	}
	if err := Tar(io.Discard, []File{{"symbols", strings.Repeat("f", 101), nil}}); err == nil {
		t.Error("a name of 101 letters is written")
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
