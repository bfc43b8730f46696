package symbols

import "crashglass/core/module"

// Flaws says what is damaged in the files that answer for a module, and which
// parts of them are missing, each in one sentence, as far as the files were
// read. After Export all is known.
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
	return out
}
