package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// packed returns the gzip form of a text.
func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// fixture returns a small program, or its folded form, which a test of the page made and compares.
func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every file comes out as it went in, and the program is stored once.
func TestStore(t *testing.T) {
	inside := fixture(t, "folded.xz")
	dist := fstest.MapFS{
		"index.html":          {Data: []byte("<p>page")},
		"index.html.gz":       {Data: packed(t, "<p>page")},
		"index.html.br":       {Data: []byte("brotli")},
		"icon.png":            {Data: []byte("picture")},
		"assets/a-1.wasm":     {Data: fixture(t, "program")},
		"assets/a-1.wasm.gz":  {Data: []byte("gzip")},
		"assets/a-1.wasm.xz":  {Data: inside},
		"SHA256SUMS":          {Data: []byte("sums")},
		"tour/.hidden":        {Data: []byte("hidden")},
		"viewer.html":         {Data: []byte("<script>" + base64.StdEncoding.EncodeToString(inside) + "</script><p>end")},
		"assets/other.txt":    {Data: []byte("other")},
		"assets/other.txt.gz": {Data: packed(t, "other")},
	}
	folder := t.TempDir()
	if err := Store(dist, folder); err != nil {
		t.Fatal(err)
	}
	p := FS{Stored: os.DirFS(folder)}
	for name, want := range dist {
		got, err := fs.ReadFile(p, name)
		if isCopy(name) && path.Ext(name) != endingOfWasm {
			if err == nil {
				t.Errorf("%s is there", name)
			}
			continue
		}
		if err != nil || string(got) != string(want.Data) {
			t.Errorf("%s is %.40q (%v), want %.40q", name, got, err, want.Data)
		}
	}
	stored, err := os.ReadFile(folder + "/viewer.html.gz")
	if err != nil || len(stored) > 100 {
		t.Errorf("viewer.html is stored in %d bytes (%v)", len(stored), err)
	}
	if data, ok := p.Packed("index.html"); !ok || !bytes.Equal(data, dist["index.html.gz"].Data) {
		t.Error("the page has no gzip form")
	}
	for _, name := range []string{"viewer.html", "icon.png", "assets/a-1.wasm", "index.html.gz", "none"} {
		if _, ok := p.Packed(name); ok {
			t.Errorf("%s has a gzip form", name)
		}
	}
}

// A program is unpacked once.
func TestPrograms(t *testing.T) {
	stored := fstest.MapFS{"a.wasm.xz": {Data: fixture(t, "folded.xz")}}
	p := FS{Stored: stored, Programs: &Programs{}}
	for range 2 {
		if data, err := fs.ReadFile(p, "a.wasm"); err != nil || !bytes.Equal(data, fixture(t, "program")) {
			t.Errorf("%d bytes, %v", len(data), err)
		}
		stored["a.wasm.xz"] = &fstest.MapFile{Data: []byte("no xz")}
	}
}

// A stored page that was damaged is an error, and no half file.
func TestDamaged(t *testing.T) {
	for want, stored := range map[string]fstest.MapFS{
		"unexpected EOF": {"a.txt.gz": {Data: packed(t, "text")[:12]}},
		"invalid header": {"a.txt.gz": {Data: []byte("this is no gzip at all")}},
		"gone.gz":        {"viewer.html.gz": {Data: packed(t, "a\x00gone\x00b")}},
		"corrupt":        {"a.wasm.xz": {Data: fixture(t, "folded.xz")[:100]}},
	} {
		for name := range stored {
			_, err := fs.ReadFile(FS{Stored: stored}, strings.TrimSuffix(name, path.Ext(name)))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
}

// A compressed copy that is not that of its file is found before it is in a program.
func TestStoreOfAnotherCopy(t *testing.T) {
	dist := fstest.MapFS{"viewer.html": {Data: []byte("<p>")}, "a.txt": {Data: []byte("new")}, "a.txt.gz": {Data: packed(t, "older")}}
	if err := Store(dist, t.TempDir()); err == nil || !strings.Contains(err.Error(), "a.txt is stored with 3 bytes, and is read with other 5") {
		t.Error(err)
	}
}
