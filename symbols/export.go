package symbols

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats"
)

// Modules lists the modules of the Store's files, in the order of the files. Folders are not
// searched, and parts of other files are omitted: those that are in use, split DWARF and object files.
func (s *Store) Modules() (out []module.Module) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.ownFiles() {
		if f.hasModule() {
			out = append(out, f.module())
		}
	}
	return out
}

func (f *file) hasModule() bool { return !f.useless && !f.build.Split }

// module is the module that a file is for. That of a file without an ID has the file's path.
func (f *file) module() module.Module {
	b, arch := f.build, f.arch
	if f.traits.HasSlices {
		arch = b.Arch // arm64e is another slice than arm64
	}
	if f.id == "" && f.codeID == "" {
		b.Name = f.name
	}
	return module.Module{DebugID: b.ID, DebugFile: b.Name, CodeID: b.CodeID, CodeFile: b.CodeFile, Arch: arch}
}

// exported returns the symbols to write for a module: those of its build. A file that does not say which
// build it is of, such as a library of data without a build ID, is written for the module that Modules
// lists for it.
func (s *Store) exported(m *module.Module) (Source, report.Symbols) {
	s.mu.Lock()
	i := slices.IndexFunc(s.files, func(f *file) bool { return f.id == "" && f.codeID == "" && f.hasModule() && f.module() == *m })
	if i < 0 {
		s.mu.Unlock()
		return s.For(m)
	}
	defer s.mu.Unlock()
	return s.choose([]candidate{{file: s.files[i], fit: fitID, named: true}}, m)
}

// ownFiles are the files that are no parts of others.
func (s *Store) ownFiles() []*file {
	parts := map[*file]bool{}
	for _, f := range s.files {
		for _, part := range f.parts {
			parts[part] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(s.files), func(f *file) bool { return parts[f] })
}

// CodeIDs are the code IDs of the Store's files, by the names that they have and
// by those that they call themselves.
func (s *Store) CodeIDs() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]string{}
	for _, f := range s.files {
		if f.build.CodeID != "" {
			out[module.Basename(f.name)] = f.build.CodeID
			out[f.build.CodeFile] = f.build.CodeID
		}
	}
	return out
}

// Export writes the symbols in the files of a module's build as a Breakpad symbol file. It fails if
// the files have no symbols, if the file already is a Breakpad symbol file, or if writing fails.
// For a file with only code it writes the MODULE and INFO lines, as dump_syms does. It locks the
// Store until it is done.
func (s *Store) Export(w io.Writer, m *module.Module) error {
	source, state := s.exported(m)
	u, ok := source.(*union)
	if !ok {
		why := "there is no file of it"
		if state.Why != nil {
			why = *state.Why
		}
		if name := module.Basename(m.DebugFile); name != "" {
			why = name + ": " + why
		}
		return fmt.Errorf("symbols: %s", why)
	}
	if len(u.names)+len(u.frames) > 0 && !u.lists() {
		return errors.New("symbols: this is a Breakpad symbol file already")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return formats.Write(w, formats.Content{
		Module: u.module(), Name: readableNames(u.bytes()),
		Functions: u.eachFunction, Publics: u.eachPublic, Frames: u.eachCallFrame, WinFrames: func(add func(unwind.WinFrame) error) error {
			return eachOf(u.frames, func(_ int, l formats.Lister) error { return l.EachWinFrame(add) })
		},
	})
}

func (u *union) bytes() (n int64) {
	for _, r := range u.readers() {
		n += r.Contents().Bytes
	}
	return n
}

// module is the first record: the ID and names of the most detailed file.
func (u *union) module() formats.Header { return formats.All[u.kind].Header(u.build) }

// lists reports whether a file can list all of its records.
func (u *union) lists() bool {
	return slices.ContainsFunc(u.readers(), func(r *guarded) bool { return r.Capabilities().Lister != nil })
}

// eachFunction lists the functions of the most detailed file. Then it lists the functions of the
// other files, except where an earlier file has a function.
func (u *union) eachFunction(add func(*symbolize.Function) error) error {
	err := eachOf(u.names, func(i int, l formats.Lister) error {
		if !u.names[i].Contents().Functions {
			return nil
		}
		return l.EachFunction(func(f *symbolize.Function) error {
			if coveredBy(u.names[:i], f.Start) {
				return nil
			}
			f.Name = withClone(u.unhidden(f.Name, f.Start), f.Linkage)
			return add(f)
		})
	})
	if err != nil {
		return err
	}
	return u.eachUnnamed(add)
}

// eachUnnamed lists the functions without a name, as dump_syms does for a library without a debug
// file. If another file has names, functions without a name would hide them.
func (u *union) eachUnnamed(add func(*symbolize.Function) error) error {
	for _, r := range u.frames {
		l := r.Capabilities().Unnamed
		others := func(other *guarded) bool { return other != r }
		if l == nil || slices.ContainsFunc(u.names, others) {
			continue
		}
		name := "<unknown in " + cmp.Or(u.build.CodeFile, u.build.Name) + ">"
		return l.EachUnnamed(func(start, size uint64) error {
			return add(&symbolize.Function{Name: name, Start: start, Size: size})
		})
	}
	return nil
}

// If several files have one for an address, the first file's is listed.
func (u *union) eachPublic(add func(symbolize.Public) error) error {
	seen, shorten := map[uint64]bool{}, shortener(u.bytes())
	return eachOf(u.names, func(i int, l formats.Lister) error {
		return l.EachPublic(func(p symbolize.Public) error {
			if seen[p.Start] || coveredBy(u.names[:i], p.Start) {
				return nil
			}
			seen[p.Start] = true
			p.Name = shorten(u.unhidden(p.Name, p.Start))
			return add(p)
		})
	})
}

// eachOf lists records of files, one file after another.
func eachOf(files []*guarded, list func(i int, l formats.Lister) error) error {
	for i, r := range files {
		if err := r.eachRecord(func(l formats.Lister) error { return list(i, l) }); err != nil {
			return err
		}
	}
	return nil
}

func coveredBy(files []*guarded, rel uint64) bool {
	for _, r := range files {
		if fn, ok := r.Function(rel); ok && !fn.Public {
			return true
		}
	}
	return false
}

// eachCallFrame lists the tables of each file that begin where those before it
// have none.
func (u *union) eachCallFrame(add func(*unwind.CallFrameTable) error) error {
	return eachOf(u.frames, func(i int, l formats.Lister) error {
		return l.EachCallFrame(func(t *unwind.CallFrameTable) error {
			for _, before := range u.frames[:i] {
				if _, has := before.CallFrame(t.Start); has {
					return nil
				}
			}
			return add(t)
		})
	})
}

// Flaws lists the damage of a module's files, and their missing parts, one sentence each, as far as
// the files were read; after Export the list is complete. A module without symbols is a flaw, too.
func (s *Store) Flaws(m *module.Module) (out []string) {
	source, _ := s.exported(m)
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
	if len(u.names)+len(u.frames) == 0 {
		out = append(out, u.saysNothing())
	}
	return out
}

// saysNothing says that a file has only code, such as a program for x86 without exports. It names
// the program's debug file.
func (u *union) saysNothing() string {
	name := cmp.Or(u.build.CodeFile, "the file")
	if debug := u.build.Name; debug != "" && strings.HasSuffix(strings.ToLower(debug), ".pdb") {
		return name + " has no symbols and no unwind rules: they are in " + debug
	}
	return name + " has no symbols and no unwind rules"
}
