package symbols

import (
	"fmt"
	"path"
	"testing"
	"testing/fstest"

	"crashglass/core/bin"
)

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

// TestTreeIsRead opens of a thousand files only the one that is asked for, and
// calls it what its path is.
func TestTreeIsRead(t *testing.T) {
	for _, root := range []string{"", "down/symbols"} {
		var tree Tree
		var opened []string
		for i := range 1000 {
			id := idA
			if i != 500 {
				id = fmt.Sprintf("%032X%d", i+1, i%7)
			}
			name := "app/" + id + "/app.sym"
			tree.Add(name, bin.NewSource(readNoted{source(sym(id, "app")), func() { opened = append(opened, name) }}, int64(len(sym(id, "app")))))
		}
		s := NewStore(Options{})
		s.AddFS(root, &tree)
		want := "app/" + idA + "/app.sym"
		got, state := s.For(app(idA))
		if got == nil || state.File == nil || *state.File != path.Join(root, want) {
			t.Errorf("%q: %+v", root, state)
		}
		for _, name := range opened {
			if name != want {
				t.Fatalf("%s was read", name)
			}
		}
	}
}

type readNoted struct {
	bin.Source
	note func()
}

func (r readNoted) ReadAt(p []byte, off int64) (int, error) {
	r.note()
	return r.Source.ReadAt(p, off)
}
