package symbols

import "crashglass/core/module"

// Fits names the files that are of a module's build, needed or not. No more of
// them is read than says which build they are of.
func (s *Store) Fits(m *module.Module) (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.identified(candidates(s.nearby(m), m), m) {
		if c.fit.good() && !c.useless {
			names = append(names, c.name)
		}
	}
	return names
}
