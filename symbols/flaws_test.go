package symbols

import (
	"io"
	"slices"
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
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
		split := strings.Join(state.Split, " ")
		if want := tt.files[0] == "split.elf" && tt.want != nil; want != (split == "split-one.dwo") || !want && split != "" {
			t.Errorf("%v: split off %q", tt.files, split)
		}
		if n := len(s.Modules()); n != 1 {
			t.Errorf("%v: %d modules, want that of the program", tt.files, n)
		}
	}
}

// Of a program that is only code a symbol file says which build it is, and that
// there is nothing else is said.
func TestFlawsOfCode(t *testing.T) {
	s := asm.At(0).Text("MZ").Zeros(58).U32(64).Text("PE\x00\x00")
	s.U16(0x14c, 1).U32(0x12345678, 0, 0).U16(96, 0x102)                                       // for x86, one section
	s.U16(0x10b).Zeros(26).U32(0x400000, 0x1000, 0x200).Zeros(16).U32(0x3000, 0x200).Zeros(32) // the optional header
	s.Text(".text\x00\x00\x00").U32(0x1000, 0x1000, 0x200, 0x200, 0, 0, 0, 0x60000020)
	s.Zeros(0x400 - int(s.Here()))
	store := NewStore(Options{})
	store.Add("tool.exe", inMemory(s.Build(t)))
	m := &store.Modules()[0]
	var out strings.Builder
	if err := store.Export(&out, m); err != nil {
		t.Fatal(err)
	}
	if want := "MODULE windows x86 000000000000000000000000000000000 tool.exe\nINFO CODE_ID 123456783000 tool.exe\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if got := store.Flaws(m); !slices.Equal(got, []string{"tool.exe has no symbols and no unwind rules"}) {
		t.Errorf("%q", got)
	}
}
