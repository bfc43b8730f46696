package pe

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"testing"

	"crashglass/core/base/bin"
)

// mapped lays a file out as Windows maps it.
func mapped(t *testing.T, f *File, file []byte) []byte {
	t.Helper()
	image := make([]byte, f.h.imageSize)
	copy(image, file[:f.h.headerSize])
	for _, s := range f.sections {
		copy(image[s.rva:], file[s.off:][:s.raw])
	}
	return image
}

// missing is memory of which one page was not captured.
type missing struct {
	io.ReaderAt
	page int64
}

func (m missing) ReadAt(p []byte, off int64) (int, error) {
	if off < m.page+4096 && off+int64(len(p)) > m.page {
		return 0, io.ErrUnexpectedEOF
	}
	return m.ReaderAt.ReadAt(p, off)
}

// An image in memory has the rules of its file, and a page that is not captured costs only what is in it.
func TestMapped(t *testing.T) {
	data, err := os.ReadFile("../../../cmd/crashglass/testdata/chain/chain64.exe")
	if err != nil {
		t.Fatal(err)
	}
	file, err := Open(bin.NewSource(bytes.NewReader(data), int64(len(data))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	image := mapped(t, file, data)
	open := func(r io.ReaderAt) *File {
		f, err := Open(bin.NewSource(r, int64(len(image))), Options{Mapped: true})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	whole := open(bytes.NewReader(image))
	text := file.named(".text")
	part := open(missing{bytes.NewReader(image), int64(text.rva)})
	if !whole.HasRules() || !part.HasRules() {
		t.Fatal("the image in memory has no rules")
	}
	compared := 0
	for rel := uint64(text.rva); rel < uint64(text.rva+text.size); rel += 7 {
		want, ok := file.CallFrame(rel)
		got, have := whole.CallFrame(rel)
		if ok != have || !reflect.DeepEqual(got, want) {
			t.Fatalf("%#x: %+v, %t, want %+v, %t", rel, got, have, want, ok)
		}
		if ok {
			compared++
		}
	}
	if compared < 100 {
		t.Errorf("only %d addresses have rules", compared)
	}
}
