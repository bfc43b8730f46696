package symbols

import (
	"cmp"
	"slices"

	"crashglass/core/base/bug"
)

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
	slices.SortStableFunc(files, func(a, b *file) int { return cmp.Compare(a.name, b.name) })
	return files
}
