package symbols

import (
	"slices"

	"crashglass/core/process/module"
)

// identified adds, to a module's candidates, the files that its image names. A dump may have no
// CodeView record of a module, as those that Wine writes: then only the image matches, by the code
// id, and its own record says which PDB belongs to it.
func (s *Store) identified(near []candidate, m *module.Module) []candidate {
	if idOf(m.DebugID) != "" {
		return near
	}
	i := slices.IndexFunc(near, func(c candidate) bool { return c.traits.NamesDebug && c.fit == fitCodeID && c.id != "" })
	if i < 0 {
		return near
	}
	known := *m
	known.DebugID, known.DebugFile = near[i].build.ID, near[i].build.Name
	files := s.files[:len(s.files):len(s.files)]
	for _, f := range s.folders {
		files = append(files, f.find(&known)...)
	}
	first := slices.IndexFunc(near, func(c candidate) bool { return !c.fit.good() })
	if first < 0 {
		first = len(near)
	}
	var more []candidate
	for _, c := range candidates(files, &known) {
		if c.fit == fitID && !slices.ContainsFunc(near[:first], func(n candidate) bool { return n.file == c.file }) {
			more = append(more, c)
		}
	}
	return slices.Insert(near, first, more...)
}

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
