package symbols

import (
	"cmp"
	"strings"

	"crashglass/core/process/module"
)

// Flaws lists the damage of a module's files, and their missing parts, one sentence each, as far as
// the files were read; after Export the list is complete. A module without symbols is a flaw, too.
func (s *Store) Flaws(m *module.Module) (out []string) {
	source, _ := s.exported(m)
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

// saysNothing says that a file has only code, such as a program for x86 without exports. It names
// the program's debug file.
func (u *union) saysNothing() string {
	name := cmp.Or(u.build.CodeFile, "the file")
	if debug := u.build.Name; debug != "" && strings.HasSuffix(strings.ToLower(debug), ".pdb") {
		return name + " has no symbols and no unwind rules: they are in " + debug
	}
	return name + " has no symbols and no unwind rules"
}
