package layout

import (
	"bytes"
	"testing"
	"testing/fstest"

	"crashglass/core/base/bin"
)

func source(text string) bin.Source {
	return bin.NewSource(bytes.NewReader([]byte(text)), int64(len(text)))
}

func TestTree(t *testing.T) {
	var tree Tree
	for _, name := range []string{"app/ID1/app.sym", "app/ID2/app.sym", "b", "c/d/e/f"} {
		if !tree.Add(name, source("content of "+name)) {
			t.Errorf("%s is not added", name)
		}
	}
	for _, name := range []string{"", ".", "..", "../x", "/x", "x/", "x//y", "x/./y", "b"} {
		if tree.Add(name, source("")) {
			t.Errorf("%q is added", name)
		}
	}
	if err := fstest.TestFS(&tree, "app/ID1/app.sym", "app/ID2/app.sym", "b", "c/d/e/f"); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(&Tree{}); err != nil {
		t.Error(err)
	}
}

// A path may be that of a file and begin that of another one.
func TestTreeOfContradictions(t *testing.T) {
	var tree Tree
	for _, name := range []string{"a/b", "a", "a/b/c"} {
		tree.Add(name, source(name))
	}
	if err := fstest.TestFS(&tree, "a/b/c"); err != nil {
		t.Error(err)
	}
}

func TestStorePlace(t *testing.T) {
	const id, image = "0123456789ABCDEF0123456789ABCDEF1", "4a5bdbde1000"
	for _, tt := range []struct{ path, root, rest string }{
		{"app.pdb/" + id + "/app.sym", "", "app.pdb/" + id + "/app.sym"},
		{"down/symbols/app/" + id + "/app.sym.gz", "down/symbols", "app/" + id + "/app.sym.gz"},
		{"symbols/ap/app.dll/" + image + "/app.dl_", "symbols/ap", "app.dll/" + image + "/app.dl_"},
		{id + "/app.sym", "", ""},
		{"app.sym", "", ""},
		{"a/b/app.sym", "", ""},
		{"a/deadbeef/app.sym", "", ""},
		{"src/feedface0123x/main.c", "", ""},
		{"../app/" + id + "/app.sym", "", ""},
		{"/app/" + id + "/app.sym", "", ""},
	} {
		root, rest, ok := StorePlace(tt.path)
		if root != tt.root || rest != tt.rest || ok != (tt.rest != "") {
			t.Errorf("%s: %q, %q, %v", tt.path, root, rest, ok)
		}
	}
}
