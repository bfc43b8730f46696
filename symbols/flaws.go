package symbols

import (
	"cmp"
	"strings"

	"crashglass/core/module"
)

// Flaws says what is damaged in the files that answer for a module, and which
// parts of them are missing, each in one sentence, as far as the files were
// read. After Export all is known. That there are no symbols at all is one.
func (s *Store) Flaws(m *module.Module) (out []string) {
	source, _ := s.For(m)
	u, ok := source.(*union)
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range u.files {
		c := f.reader.Contents()
		for _, defect := range c.Damage {
			out = append(out, f.name+" is damaged: "+defect)
		}
		for _, part := range c.Missing {
			out = append(out, f.name+" "+part)
		}
	}
	if len(u.names)+len(u.frames) == 0 {
		out = append(out, u.saysNothing())
	}
	return out
}

// saysNothing says that a file is only code, such as a program for x86 that
// exports nothing. It names the debug file that the program names.
func (u *union) saysNothing() string {
	name := cmp.Or(u.build.CodeFile, "the file")
	if debug := u.build.Name; debug != "" && strings.HasSuffix(strings.ToLower(debug), ".pdb") {
		return name + " has no symbols and no unwind rules: they are in " + debug
	}
	return name + " has no symbols and no unwind rules"
}
