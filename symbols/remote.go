package symbols

import (
	"crashglass/core/base/bin"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// A remote file is at a host, which sends the parts that are requested. Until a part arrives,
// reading it fails with formats.ErrPending. The query that needed it stays open and is counted, as
// for other files.

// A stack of 21 frames then needs 1.0 % of 109 MB; with pages of 4 KiB it needs 1.7 %.
const remotePage = 1 << 10

// AddRemote takes a Breakpad file at a host. Its first bytes must have arrived already. Files of
// other formats are refused.
func (s *Store) AddRemote(name string, src bin.Source) []Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := archivePath{name: name, label: name}
	return safely(p, func() []Item {
		head, err := src.Read("start of the file", 0, uint64(min(src.Size(), sniff.Size)))
		if err != nil || sniff.Of(head) != sniff.Breakpad {
			return []Item{p.item(sniff.Unknown, "this is no symbol file of which parts can be asked for")}
		}
		item := s.symbols(p, sniff.Breakpad, inMemory(head), src.Size(), inPlace(src))
		s.files[len(s.files)-1].remote = true
		return []Item{item}
	})
}

// Whole tells the Store that a remote file has arrived completely and may be scanned.
func (s *Store) Whole(name string) {
	s.eachRemote(name, func(f *file) { f.whole = true })
}

// Refuse stops the use of a remote file and records the reason.
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

// late returns an error if a remote file has to be scanned and has not arrived completely.
func (f *file) late(opt Options) error {
	if f.whole {
		return nil
	}
	if opt.Whole != nil {
		opt.Whole(f.name)
	}
	return formats.ErrPending
}
