package breakpad

import (
	"slices"

	"crashglass/core/base/bin"
)

// A saved index may belong to another file: one of the same size that differs between the blocks
// that Key reads. So for an index that this process has not made, each record must have the kind,
// the offset and the address or number in the index. The first mismatch causes a scan, and the
// query is repeated.

// doubt is called with whether a record matches the index.
func (f *File) doubt(is bool) {
	f.certain(is)
	if !is && f.saved {
		f.doubted = true
	}
}

// load uses a saved index, if it belongs to the file.
func (f *File) load(saved bin.Source) bool {
	x, scanned, ok := loadIndex(f.whole, saved)
	if !ok {
		return false
	}
	f.x, f.scanned, f.saved, f.doubted = x, scanned, true, false
	f.cache, f.module = caches{}, Module{}
	f.notes = notes{list: slices.Clone(scanned)}
	return f.readModule() == nil && !f.doubted
}

// rescan replaces an index that is wrong. When it fails the index stays in
// doubt: no question is answered until it succeeds.
func (f *File) rescan() error {
	s, err := scan(f.whole, f.opt)
	if err != nil {
		return err
	}
	f.x, f.notes, f.cache, f.module = s.index, s.notes, caches{}, Module{}
	f.scanned = s.notes.sorted()
	f.saved, f.doubted = false, false
	if err := f.readModule(); err != nil {
		return err
	}
	if f.opt.Scanned != nil {
		f.opt.Scanned(f.save)
	}
	return nil
}
