package symbols

import (
	"strings"

	"crashglass/core/base/bin"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// A hidden keeps the maps of hidden names by their UUIDs, and the build whose map belongs to each
// dSYM.
type hidden struct {
	maps      map[string]func() (bin.Source, error)
	originals map[string]string
	parsed    map[string]*formats.HiddenNames // nil for one that cannot be read
}

// keepHidden keeps a map of hidden names, and reports whether the file is one. Files that were
// opened without it are opened again.
func (s *Store) keepHidden(p archivePath, k sniff.Kind, src bin.Source) bool {
	clue, ok := formats.ClueOf(k, p.label, src)
	switch {
	case !ok:
		return false
	case clue.Original != "":
		s.hidden.originals[clue.UUID] = clue.Original
	default:
		s.hidden.maps[clue.UUID] = func() (bin.Source, error) { return src, nil }
		delete(s.hidden.parsed, clue.UUID)
	}
	s.forgetHidden()
	return true
}

// forgetHidden closes the files whose names may be hidden, so that they are opened again with the
// map.
func (s *Store) forgetHidden() {
	for _, f := range s.everyFile() {
		if f.traits.HidesNames && !f.useless {
			f.tried, f.reader, f.flaw = false, nil, ""
		}
	}
}

// mapFor returns the map for a file by its UUID, or nil.
func (s *Store) mapFor(uuid string) *formats.HiddenNames {
	uuid = strings.ToUpper(uuid)
	for _, id := range []string{s.originalFor(uuid), uuid} {
		if m, ok := s.hidden.parsed[id]; ok && m != nil {
			return m
		}
		open := s.hidden.maps[id]
		for _, d := range s.folders {
			if p, ok := d.bundles().maps[id]; ok && open == nil {
				open = func() (bin.Source, error) { return d.source(p) }
			}
		}
		if id == "" || open == nil {
			continue
		}
		if src, err := open(); err == nil {
			if m, err := formats.ParseHiddenNames(src); err == nil {
				s.hidden.parsed[id] = m
				return m
			}
		}
	}
	return nil
}

// originalFor is the UUID of the map for a dSYM, by its property list.
func (s *Store) originalFor(uuid string) string {
	if original := s.hidden.originals[uuid]; original != "" {
		return original
	}
	for _, d := range s.folders {
		if p, ok := d.bundles().originals[uuid]; ok {
			if src, err := d.source(p); err == nil {
				return formats.OriginalOf(src)
			}
		}
	}
	return ""
}

// unhidden is another file's name of a function whose name is hidden in the first one.
func (u *union) unhidden(name string, start uint64) string {
	if !formats.IsHidden(name) {
		return name
	}
	for _, r := range u.names {
		if fn, ok := r.Function(start); ok && fn.Start == start && fn.Name != "" && !formats.IsHidden(fn.Name) {
			return fn.Name
		}
	}
	return name
}
