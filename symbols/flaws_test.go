package symbols

import (
	"io"
	"slices"
	"testing"
)

// Parts of a file's DWARF that were not given are named, in the state of the
// module and for what is exported, and not once they were.
func TestFlaws(t *testing.T) {
	for _, tt := range []struct {
		files []string
		want  []string
	}{
		{[]string{"split.elf"}, []string{"split.elf lacks the split DWARF of one unit: add split-one.dwo, or a .dwp file with all of them"}},
		{[]string{"split.elf", "split-one.dwo"}, nil},
		{[]string{"dwz.elf"}, []string{"dwz.elf lacks what dwz moved to dwz.sup with the build ID c8c2ead8c11cad3add3f99b2e40a37cade0b1322: add that file for the names of shared functions"}},
		{[]string{"dwz.elf", "dwz.sup"}, nil},
		{[]string{"embedded.elf"}, nil},
	} {
		s := NewStore(Options{})
		for _, name := range tt.files {
			s.Add(name, testdata(t, name))
		}
		m := programOf(s)
		if err := s.Export(io.Discard, m); err != nil {
			t.Fatal(err)
		}
		if got := s.Flaws(m); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %q, want %q", tt.files, got, tt.want)
		}
		_, state := s.For(m)
		if (state.Why == nil) != (tt.want == nil) || tt.want != nil && *state.Why != tt.want[0] {
			t.Errorf("%v: state %+v", tt.files, state)
		}
		if n := len(s.Modules()); n != 1 {
			t.Errorf("%v: %d modules, want that of the program", tt.files, n)
		}
	}
}
