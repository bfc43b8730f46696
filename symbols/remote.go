package symbols

import (
	"crashglass/core/bin"
	"crashglass/symbols/formats"
	"crashglass/symbols/sniff"
)

// A remote file is at a host, and parts of it come when they are asked for. Until
// then a read fails with formats.ErrLater, and the question that it was for stays
// without an answer, which is counted as of other files.

// remotePage is how much of a remote file is read at once: for a stack of 21 frames
// 1.0 % of 109 MB, and 1.7 % with pages of 4 KiB.
const remotePage = 1 << 10

// AddRemote takes a Breakpad file at a host, of which the beginning is there.
// Anything else is refused.
func (s *Store) AddRemote(name string, src bin.Source) []Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := archivePath{name: name, label: name}
	return safely(p, func() []Item {
		head, err := src.Read("start of the file", 0, uint64(min(src.Size(), sniff.Size)))
		if err != nil || sniff.Of(head) != sniff.Breakpad {
			return []Item{p.item(sniff.Unknown, "this is no symbol file of which parts can be asked for")}
		}
		item := s.symbols(p, sniff.Breakpad, inMemory(head), src.Size(), func() (bin.Source, error) { return src, nil })
		s.files[len(s.files)-1].remote = true
		return []Item{item}
	})
}

// Whole says that all of a remote file is there: it may be scanned.
func (s *Store) Whole(name string) {
	s.eachRemote(name, func(f *file) { f.whole = true })
}

// Refuse takes a remote file out of use, and says why.
func (s *Store) Refuse(name, why string) {
	s.eachRemote(name, func(f *file) {
		f.reader, f.tried, f.useless, f.flaw = nil, true, true, "cannot be read: "+why
	})
}

func (s *Store) eachRemote(name string, do func(*file)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		if f.remote && f.name == name {
			do(f)
		}
	}
}

// late is asked before a remote file is scanned.
func (f *file) late(opt Options) error {
	if f.whole {
		return nil
	}
	if opt.Whole != nil {
		opt.Whole(f.name)
	}
	return formats.ErrLater
}
