package symbols

import (
	"bytes"
	"strings"

	"crashglass/core/bin"
	"crashglass/symbols/formats"
	"crashglass/symbols/sniff"
)

// symbolMap is the kind of a file with the names that Apple hid.
const symbolMap = sniff.Kind("bcsymbolmap")

// maxPlist bounds a property list. Those of dSYMs have some hundred bytes.
const maxPlist = 64 << 10

// A hidden keeps what undoes hidden names: maps by their UUIDs, and which
// build's map is for which dSYM.
type hidden struct {
	maps      map[string]func() (bin.Source, error)
	originals map[string]string
	parsed    map[string]*formats.HiddenNames // nil for one that cannot be read
}

func newHidden() hidden {
	return hidden{map[string]func() (bin.Source, error){}, map[string]string{}, map[string]*formats.HiddenNames{}}
}

// keepHidden keeps a file that undoes hidden names, and reports whether it is
// one. It is known by the UUID in its name. Files that were opened without it
// are opened anew.
func (s *Store) keepHidden(p place, k sniff.Kind, src bin.Source) bool {
	label := p.label[strings.LastIndexAny(p.label, `/\`)+1:]
	uuid := uuidOf(label)
	switch {
	case uuid == "":
		return false
	case k == symbolMap:
		s.hidden.maps[uuid] = func() (bin.Source, error) { return src, nil }
		delete(s.hidden.parsed, uuid)
	case k == sniff.Text && strings.HasSuffix(strings.ToLower(label), ".plist"):
		original := originalOf(src)
		if original == "" {
			return false
		}
		s.hidden.originals[uuid] = original
	default:
		return false
	}
	s.forgetMachO()
	return true
}

// forgetMachO closes the Mach-O files that were given, so that they are opened
// with what is known now.
func (s *Store) forgetMachO() {
	for _, f := range s.files {
		if f.kind == sniff.MachO && !f.useless {
			f.tried, f.reader, f.flaw = false, nil, ""
		}
	}
	for _, d := range s.folders {
		for _, files := range d.files {
			for _, f := range files {
				if f.kind == sniff.MachO && !f.useless {
					f.tried, f.reader, f.flaw = false, nil, ""
				}
			}
		}
	}
}

// originalOf is the UUID that a dSYM's property list has for DBGOriginalUUID:
// that of the build before Apple compiled its bitcode, which the map is of.
func originalOf(src bin.Source) string {
	data, err := src.ReadUpTo("property list", 0, uint64(min(src.Size(), maxPlist)))
	if err != nil {
		return ""
	}
	_, after, ok := bytes.Cut(data, []byte("<key>DBGOriginalUUID</key>"))
	_, after, ok2 := bytes.Cut(after, []byte("<string>"))
	value, _, ok3 := bytes.Cut(after, []byte("</string>"))
	if !ok || !ok2 || !ok3 {
		return ""
	}
	return uuidOf(strings.TrimSpace(string(value)))
}

// mapFor returns the map for a Mach-O file by its UUID, or nil.
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
				return originalOf(src)
			}
		}
	}
	return ""
}

// unhidden is the name that another file has for a function whose name is
// hidden in the first one.
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
