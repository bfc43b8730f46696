package breakpad

// A saved index may belong to another file: one of the same size that differs between the blocks
// that Key reads. So for an index that this process has not made, each record must have the kind,
// the offset and the address or number in the index. The first mismatch causes a scan, and the
// question is asked again.

// doubt is called with whether a record matches the index.
func (f *File) doubt(is bool) {
	f.certain(is)
	if !is && f.saved {
		f.doubted = true
	}
}

// ask answers a question, with the lock held. If the index proves wrong, or the search is not
// certain, it answers again after a scan.
func ask[T any](f *File, about subject, rel uint64, question func() (T, bool)) (v T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked != nil {
		if v, ok = byAsking(f, about, rel, question); ok && !f.asked.tooMany() {
			return v, ok
		}
		if err := f.stopAsking(); err != nil {
			f.refused(err, ok)
			return v, ok
		}
		v, ok = question()
	} else {
		v, ok = question()
	}
	if !f.doubted {
		return v, ok
	}
	if err := f.rescan(); err != nil {
		f.failed(err)
		var none T
		return none, false
	}
	return question()
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
