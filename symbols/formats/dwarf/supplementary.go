package dwarf

import "path"

// Supplement adds the sections of the file that .gnu_debugaltlink or
// .debug_sup names: what dwz found in several files (section 7.3.6). It must
// be called before the first query.
func (f *File) Supplement(sections Sections) {
	f.main.extra = f.newGroup(sections)
}

// AddSplit adds the sections of a .dwo file, or of a .dwp file with many of
// them (section 7.3.5). Their names are those of other sections, without
// ".dwo". It must be called before the first query.
func (f *File) AddSplit(sections Sections) {
	f.parts = append(f.parts, f.newGroup(sections))
}

// readSupplementary reads the headers of units in supplementary and split files.
func (f *File) readSupplementary() error {
	if extra := f.main.extra; extra != nil {
		if err := extra.readUnits(f.progress); err != nil {
			return err
		}
	}
	f.split = map[uint64]*unit{}
	for _, g := range f.parts {
		if err := g.readPackage(); err != nil {
			f.note("%v", err)
		}
		if err := g.readUnits(f.progress); err != nil {
			return err
		}
		for _, u := range g.units {
			if f.split[u.id] == nil && u.id != 0 {
				f.split[u.id] = u
			}
		}
	}
	return nil
}

// namedMissing is how many missing files are kept by name.
const namedMissing = 3

// A Missing is split DWARF that skeleton units name and no given file has (section 7.3.2): the
// compiler wrote it to files beside the object files. A unit without code that names one is Clang's
// or Swift's reference to a module (.pcm), which has no function.
type Missing struct {
	Units int      // without their entries
	Files []string // the first of them, without folders
}

// add counts a skeleton unit without its split unit.
func (m *Missing) add(file string) {
	m.Units++
	if file = path.Base(file); len(m.Files) < namedMissing && (len(m.Files) == 0 || m.Files[len(m.Files)-1] != file) {
		m.Files = append(m.Files, file)
	}
}

// Missing lists the split units that are missing, as far as units were read. It may be called while
// functions are listed.
func (f *File) Missing() Missing {
	if m := f.missing.Load(); m != nil {
		return *m
	}
	return Missing{}
}
