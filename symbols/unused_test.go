package symbols

import (
	"testing"

	"crashglass/core/process/module"
)

// A given file is unused if it is of another build of a module, or of no module. Parts of debug information and damaged files
// are not listed.
func TestUnused(t *testing.T) {
	m := *identityOf(t, "split.elf")
	m.CodeFile, m.DebugFile = "/bin/split.elf", "split.elf"
	other := m
	other.DebugID, other.CodeID = "00112233445566778899AABBCCDDEEFF0", "00112233"
	s := NewStore(Options{})
	for _, name := range []string{"split.elf", "split.dwp", "dwz.elf"} {
		s.Add(name, testdata(t, name))
	}
	s.Add("damaged.sym", source("MODULE"))
	for name, tt := range map[string]struct {
		module module.Module
		files  int
		wanted string
	}{"its own build": {m, 1, ""}, "another build": {other, 2, other.DebugID}} {
		got := s.Unused([]module.Module{{CodeFile: "/lib/x"}, tt.module}, func(string) bool { return true })
		if len(got) != tt.files || got[0].File != "dwz.elf" || got[0].Module != nil {
			t.Fatalf("%s: %+v", name, got)
		}
		if first := got[len(got)-1]; tt.wanted != "" && (first.File != "split.elf" || first.Wanted != tt.wanted || first.Module == nil || *first.Module != 1 || first.ID != m.DebugID) {
			t.Errorf("%s: %+v", name, first)
		}
		if got = s.Unused([]module.Module{tt.module}, func(string) bool { return false }); len(got) != tt.files-1 {
			t.Errorf("%s, not named: %+v", name, got)
		}
	}
}
