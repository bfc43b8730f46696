package symbols

import (
	"cmp"
	"slices"

	"crashglass/core/base/bug"
	"crashglass/core/base/sorting"
	"crashglass/symbols/formats"
)

// mostOpened is how many files Files opens to list their contents. For others it uses only the
// first bytes.
const mostOpened = 64

// A FileInfo describes a symbol file of the Store, with its module.
type FileInfo struct {
	Name        string   `json:"name"`
	Kind        string   `json:"kind"`   // "a Breakpad symbol file", in words; "" where it is none
	Module      int      `json:"module"` // index into Modules, -1 where it is for none
	DebugFile   string   `json:"debug_file"`
	DebugID     string   `json:"debug_id"`
	CPU         string   `json:"cpu"`
	Holds       []string `json:"holds"`       // in words
	Flaw        *string  `json:"flaw"`        // what is wrong with it, to follow its name
	Convertible bool     `json:"convertible"` // it is of a format that Export writes as a Breakpad symbol file
}

// Files lists the files in the order in which they came. Folders are not searched, and parts of
// other files are not listed.
func (s *Store) Files() []FileInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files[:min(len(s.files), mostOpened)] {
		_ = f.load(s.opt) // holds says what is wrong; only then it is known what are parts of others
	}
	out, module := []FileInfo{}, 0
	for i, f := range s.ownFiles() {
		g := FileInfo{Name: f.name, Module: -1, DebugFile: f.build.Name, DebugID: f.build.ID, CPU: f.build.Arch, Holds: []string{}}
		if !f.useless {
			g.Kind = f.kind.Noun()
		}
		if f.hasModule() {
			g.Module, module = module, module+1
			g.Convertible = s.opt.formats.Native(f.kind)
		}
		if i < mostOpened {
			g.Holds, g.Flaw = f.holds(s.opt)
		} else {
			g.Flaw = text("is read when a dump needs it")
		}
		out = append(out, g)
	}
	return out
}

// holds opens a file, and returns its contents and its damage.
func (f *file) holds(opt Options) (what []string, flaw *string) {
	if err := f.load(opt); err != nil {
		return []string{}, text("was not read: " + err.Error())
	}
	if ok, why := f.usable(); !ok {
		return []string{}, text(why)
	}
	return words(f.reader.Contents().Has), text(f.remark())
}

func words(has formats.Has) []string {
	out := []string{}
	for _, part := range []struct {
		there bool
		word  string
	}{
		{has.Functions, "functions"},
		{has.Publics && !has.Functions, "public names"},
		{has.Lines, "lines"},
		{has.Inlines, "inlined calls"},
		{has.Variables, "variables"},
		{has.Frames, "call frame info"},
		{has.Code, "code"},
	} {
		if part.there {
			out = append(out, part.word)
		}
	}
	return out
}

// A Difference is a symbol file whose scan contradicts earlier answers.
type Difference struct {
	File    string
	Answers int // that are others now
}

// Verify scans the files that were only searched, and compares the earlier answers. Later reports
// use the scans.
func (s *Store) Verify() (out []Difference, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer bug.Catch(&err)
	for _, f := range s.everyFile() {
		if f.reader == nil || f.reader.Capabilities().Search == nil {
			continue
		}
		n, err := f.reader.Capabilities().Search.Scan()
		if err != nil {
			return out, err
		}
		if n > 0 {
			out = append(out, Difference{File: f.name, Answers: n})
		}
	}
	return out, nil
}

// everyFile lists, by name, the given files and the files of folders that were searched for a
// module.
func (s *Store) everyFile() []*file {
	files := slices.Clone(s.files)
	for _, d := range s.folders {
		for _, at := range d.files {
			files = append(files, at...)
		}
	}
	sorting.Stable(files, func(a, b *file) int { return cmp.Compare(a.name, b.name) })
	return files
}
