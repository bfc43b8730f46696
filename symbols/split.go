package symbols

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"crashglass/core/base/sorting"
	"crashglass/core/process/module"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// complete attaches the separate parts of a module's files: the files of dwz, and split DWARF. It
// returns the file that a .gnu_debuglink names, if the debug information is in a file without an
// ID.
func (s *Store) complete(used []candidate, m *module.Module) (linked *file) {
	lines := false
	for _, c := range used {
		s.attach(c.file, m)
		lines = lines || c.reader.Contents().Lines
	}
	for i := 0; i < len(used) && !lines && linked == nil; i++ {
		if linked = s.linked(used[i].file, m); linked != nil {
			linked.serve(m)
		}
	}
	return linked
}

// If parts arrive after their file, the file is opened again with all of them.
func (s *Store) attach(f *file, m *module.Module) {
	links, ok := f.links()
	if !ok {
		return
	}
	parts := s.partsOf(f, links, m)
	if slices.Equal(parts, f.parts) {
		return
	}
	r, err := s.withParts(f, parts)
	if err == nil {
		f.parts, f.reader = parts, &guarded{r, f}
	}
}

// withParts opens a file again, together with its parts.
func (s *Store) withParts(f *file, parts []*file) (formats.Reader, error) {
	main, err := s.input(f)
	if err != nil {
		return nil, err
	}
	var others []formats.Input
	for _, p := range parts {
		if part, err := s.input(p); err == nil {
			others = append(others, part)
		}
	}
	return formats.OpenWhole(f.kind, f.build, main, others)
}

// input is a file as it is opened together with others.
func (s *Store) input(f *file) (formats.Input, error) {
	src, err := f.content.open()
	return formats.Input{Source: src, Options: formats.Options{Name: f.name, Progress: func(done, total int64) error {
		if s.opt.Progress == nil {
			return nil
		}
		return s.opt.Progress(f.name, done, total)
	}}}, err
}

// links returns the files that an open file names, and reports whether it may have parts.
func (f *file) links() (l formats.Links, ok bool) {
	if of := f.reader.Capabilities().Links; of != nil {
		return of()
	}
	return l, false
}

// partsOf lists the files that were split off a file: dwz's file by its build ID, and split DWARF
// and object files.
func (s *Store) partsOf(f *file, links formats.Links, m *module.Module) (parts []*file) {
	if links.Supplement != "" {
		if p := s.byID(f, links); p != nil {
			parts = append(parts, p)
		}
	}
	for _, other := range append(s.nearby(m), s.local.files(m, false)...) {
		if s.isPart(f, other) {
			parts = append(parts, other)
		}
	}
	if links.Parts {
		parts = append(parts, s.recorded(f, parts)...)
	}
	sorting.Stable(parts, func(a, b *file) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.size, b.size), strings.Compare(string(a.codeID), string(b.codeID)))
	})
	return parts
}

// isPart reports whether a file has split units or is an object file of f: a .dwo or .dwp file by the
// IDs of its units. A .dwp of the file's name is a part even if its index cannot be read, so that its
// damage is reported, but not one that was found on this machine. Of object files, the reader of a Mach-O file takes those that its debug map names.
func (s *Store) isPart(f, other *file) bool {
	if !other.build.Split || other.kind != f.kind {
		return false
	}
	return f.kind == sniff.MachO || other.place == "" && stem(other.name) == stem(f.name)+".dwp" || s.splitOff(f, other)
}

// splitOff reports whether a file with split units has one that belongs to a skeleton unit of f.
func (s *Store) splitOff(f, split *file) bool {
	wanted := idsOf(s.unitsOf(f))
	return len(wanted) > 0 && slices.ContainsFunc(s.unitsOf(split), func(u formats.Part) bool { return wanted[u.ID] })
}

func idsOf(units []formats.Part) map[uint64]bool {
	ids := map[uint64]bool{}
	for _, u := range units {
		ids[u.ID] = true
	}
	return ids
}

// unitsOf are a file's skeleton units or split units, or the object files of its debug map. An unreadable file has none.
func (s *Store) unitsOf(f *file) []formats.Part {
	if f.units != nil {
		return f.units
	}
	input, err := s.input(f)
	if err != nil {
		return nil
	}
	units, err := formats.PartsOf(f.kind, f.build, input)
	if err != nil { // it may have been stopped: the next query repeats it
		return nil
	}
	f.units = append([]formats.Part{}, units...)
	return f.units
}

// maxRecorded bounds the files that are searched for at recorded paths: each stays open. Larger programs are delivered with
// a .dwp file or a dSYM.
const maxRecorded = 1000

// recorded are the parts of f that stand on this machine where the compiler wrote them, or beside f, and that are not
// among the known ones.
func (s *Store) recorded(f *file, known []*file) (found []*file) {
	if s.local == nil {
		return nil
	}
	have := map[uint64]bool{}
	for _, p := range known {
		maps.Copy(have, idsOf(s.unitsOf(p)))
	}
	for _, u := range s.unitsOf(f) {
		if len(found) == maxRecorded {
			break
		}
		if u.Path == "" || u.ID != 0 && have[u.ID] {
			continue
		}
		for _, p := range []string{u.Path, path.Join(path.Dir(f.name), path.Base(u.Path))} {
			if files := s.local.part(p, func(other *file) bool { return s.isPart(f, other) }); len(files) > 0 {
				found = appendNew(found, files[0])
				break
			}
		}
	}
	return found
}

// nearby are the files that were given and those that folders have for a module.
func (s *Store) nearby(m *module.Module) []*file {
	files := s.files[:len(s.files):len(s.files)]
	for _, d := range s.folders {
		files = append(files, d.find(m)...)
	}
	return files
}

// byID is the file with the common part of f's debug information, from what was given, from a folder's place for
// its build ID, or from this machine; or nil. Its path is relative to f.
func (s *Store) byID(f *file, links formats.Links) *file {
	m := &module.Module{CodeID: links.Supplement}
	if m.CodeFile = links.Common; !path.IsAbs(m.CodeFile) {
		m.CodeFile = path.Join(path.Dir(f.name), links.Common)
	}
	files := append(s.nearby(m), s.local.files(m, false)...)
	i := slices.IndexFunc(files, func(f *file) bool { return f.traits.HasParts && f.codeID != "" && f.codeID == codeIDOf(m.CodeID) })
	if i < 0 {
		return nil
	}
	return files[i]
}

// linked is the file that a .gnu_debuglink names, if it was given or is on this machine: its name
// and the checksum of all of it are right.
func (s *Store) linked(f *file, m *module.Module) *file {
	link, _ := f.links()
	if link.Debug == "" {
		return nil
	}
	name := path.Base(link.Debug)
	files := s.files[:len(s.files):len(s.files)]
	for _, d := range s.folders {
		files = d.findAt(files, name)
		files = d.findAt(files, ".debug/"+name)
	}
	for _, other := range append(files, s.local.linked(m, name)...) {
		if !other.traits.HasParts || path.Base(other.name) != name || other.id != f.id && !hasChecksum(other, link.CRC) || other.load(s.opt) != nil {
			continue
		}
		if ok, _ := other.usable(); ok {
			return other
		}
	}
	return nil
}

// hasChecksum compares the CRC of a whole file with that in .gnu_debuglink. An unreadable file has none.
func hasChecksum(f *file, want uint32) bool {
	src, err := f.content.open()
	if err != nil {
		return false
	}
	sum, err := formats.Checksum(src)
	return err == nil && sum == want
}
