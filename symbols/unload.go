package symbols

import (
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/symbols/archives/archive"
)

// A content is the data of a file. Files of several CPUs in one library share it.
type content struct {
	find   func() (bin.Source, error)
	member *archive.Member // decompressed when it is opened; nil for a file that is not
	data   bin.Source      // of a decompressed member
}

// inPlace is the content of a file that needs no memory.
func inPlace(src bin.Source) *content {
	return &content{find: func() (bin.Source, error) { return src, nil }}
}

// memberContent is the content of a member of an archive: it is decompressed once for all readers.
func memberContent(m *archive.Member) *content { return &content{find: m.Open, member: m} }

// open returns the data. With an error it is what is before the damage.
func (c *content) open() (bin.Source, error) {
	if c.data.Size() > 0 {
		return c.data, nil
	}
	src, err := c.find()
	if err == nil && c.member != nil {
		c.data = src
	}
	return src, err
}

// release frees the memory of a decompressed member. No reader may use it any more.
func (c *content) release() {
	if c != nil && c.member != nil {
		c.member.Release()
		c.data = bin.Source{}
	}
}

// Unload frees what was read of files that serve none of these modules, and returns their names.
// The files stay in the Store, and are read again when a module needs them. No Source that For
// returned for another module may be used afterwards.
func (s *Store) Unload(used []module.Module) (unloaded []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := map[moduleKey]bool{}
	for i := range used {
		wanted[keyOf(&used[i])] = true
	}
	files := s.files[:len(s.files):len(s.files)]
	for _, d := range s.folders {
		for _, f := range d.files {
			files = append(files, f...)
		}
	}
	open := map[*content]bool{}
	for _, f := range files {
		switch {
		case f.reader == nil:
		case f.servesAny(wanted):
			open[f.content] = true
			for _, part := range f.parts {
				open[part.content] = true
			}
		default:
			f.reader, f.tried, f.parts, f.flaw, f.serves = nil, false, nil, "", nil
			unloaded = append(unloaded, f.name)
		}
	}
	for _, f := range files {
		if !open[f.content] {
			f.content.release()
		}
	}
	return unloaded
}

// serve notes that a module uses the file.
func (f *file) serve(m *module.Module) {
	if f.serves == nil {
		f.serves = map[moduleKey]bool{}
	}
	f.serves[keyOf(m)] = true
}

func (f *file) servesAny(modules map[moduleKey]bool) bool {
	for m := range f.serves {
		if modules[m] {
			return true
		}
	}
	return false
}
