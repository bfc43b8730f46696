package symbols

import (
	"io/fs"
	"iter"
	"slices"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// Local finds files of this machine. Package symbols opens no files itself.
type Local interface {
	// Open opens a path that Paths returned. The file must be an io.ReaderAt.
	fs.FS

	// Paths returns where the files of a module may be, the likeliest first. With slow set, it returns the places
	// whose search takes time, and otherwise the others.
	Paths(m *module.Module, slow bool) iter.Seq2[string, report.Place]
}

// A machine has the files of Options.Local. A nil machine has none.
type machine struct {
	*folder
	local Local
	known map[localKey][]*file // what was found for a module
}

// A localKey is what the search for a module depends on.
type localKey struct {
	module module.Module
	slow   bool
}

func (s *Store) newMachine() *machine {
	if s.opt.Local == nil {
		return nil
	}
	return &machine{newFolder("", s.opt.Local, s.budget, s.opt.formats), s.opt.Local, map[localKey][]*file{}}
}

// files returns the files of a module's build, and parts of debug information that may belong to them. A module
// without an ID has none: a file of its name may be of any build.
func (l *machine) files(m *module.Module, slow bool) []*file {
	if l == nil || m.ByName || idOf(m.DebugID) == "" && codeIDOf(m.BuildID()) == "" {
		return nil
	}
	key := localKey{module.Module{CodeFile: m.CodeFile, CodeID: m.CodeID, DebugFile: m.DebugFile, DebugID: m.DebugID, Arch: m.Arch}, slow}
	found, ok := l.known[key]
	if !ok {
		t := targetOf(m)
		found = l.find(m, slow, func(f *file) bool { return f.build.Split || f.fit(t).good() })
		l.known[key] = found
	}
	return found
}

func (l *machine) knows(m *module.Module, slow bool) bool { return len(l.files(m, slow)) > 0 }

// linked returns the files to which a .gnu_debuglink of a module's file may lead. They may lack an ID.
func (l *machine) linked(m *module.Module, name string) []*file {
	if l == nil {
		return nil
	}
	by := *m
	by.DebugFile = name
	t := targetOf(m)
	return l.find(&by, false, func(f *file) bool { return f.codeID == "" || f.fit(t).good() })
}

// find opens the paths of a module, and closes those that are not accepted.
func (l *machine) find(m *module.Module, slow bool, accept func(*file) bool) (found []*file) {
	for p, place := range l.local.Paths(m, slow) {
		for _, f := range l.accepted(p, place, accept) {
			found = appendNew(found, f)
		}
	}
	return found
}

// part opens the file at a path that a symbol file records, if it is accepted.
func (l *machine) part(p string, accept func(*file) bool) []*file {
	for p, place := range l.local.Paths(&module.Module{CodeFile: p}, false) {
		if place != report.AtRecordedPath {
			break
		}
		return l.accepted(p, place, accept)
	}
	return nil
}

// accepted opens the files at a path, and closes them if none is accepted.
func (l *machine) accepted(p string, place report.Place, accept func(*file) bool) []*file {
	before := len(l.opened)
	files := slices.DeleteFunc(slices.Clone(l.at(p)), func(f *file) bool { return f.useless || !accept(f) })
	for _, f := range files {
		if f.place == "" {
			f.place = place
		}
	}
	if len(files) == 0 && len(l.opened) > before {
		for _, f := range l.opened[before:] {
			f.Close()
		}
		l.opened = l.opened[:before]
		delete(l.folder.files, p)
	}
	return files
}

// withLocal adds the files of this machine to a module's candidates: behind the given ones of the module's build.
func (s *Store) withLocal(near []candidate, m *module.Module, slow bool) []candidate {
	files := s.local.files(m, false)
	if slow {
		files = append(slices.Clone(files), s.local.files(m, true)...)
	}
	own := slices.DeleteFunc(candidates(files, m), func(c candidate) bool { return !c.fit.good() })
	first := slices.IndexFunc(near, func(c candidate) bool { return !c.fit.good() })
	if first < 0 {
		first = len(near)
	}
	return slices.Insert(slices.Clone(near), first, own...)
}

// localTo adds the file to a list, if it was found on this machine.
func (f *file) localTo(list []report.LocalFile) []report.LocalFile {
	if f.place == "" {
		return list
	}
	return append(list, report.LocalFile{File: f.name, Place: f.place})
}
