package dwarf

import "path"

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

// Missing lists the split units that are missing, as far as units were read. It may be asked while
// functions are listed.
func (f *File) Missing() Missing {
	if m := f.missing.Load(); m != nil {
		return *m
	}
	return Missing{}
}
