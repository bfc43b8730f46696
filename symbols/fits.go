package symbols

import "crashglass/core/module"

// Fits names the files of a module's build, needed or not. It reads only their identities.
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
