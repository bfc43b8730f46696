package symbols

import (
	"fmt"
	"path"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/symbols/layout"
)

// TestTreeIsRead opens of a thousand files only the one that is asked for, and
// calls it what its path is.
func TestTreeIsRead(t *testing.T) {
	for _, root := range []string{"", "down/symbols"} {
		var tree layout.Tree
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
