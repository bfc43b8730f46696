package breakpad

import (
	"cmp"
	"errors"
	"reflect"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/symbols/search"
)

// A file that is opened with Options.Search is not scanned. A search answers each query, as long as it
// is certain of the answer. The first uncertain answer causes a scan, and the query is repeated.

// NoteDiffers is the text of the Note on answers in which search and scan differ: records far from each
// other cover one address.
const NoteDiffers = "records out of place are about addresses that were queried before"

// A searched is a file that is not scanned yet.
type searched struct {
	*search.Search
	blocks *blockReader
}

// newSearched reads the probes of a file. page is in units.
func newSearched(src bin.Source, page int64) (*searched, error) {
	r, err := newBlockReader(src, page)
	if err != nil {
		return nil, err
	}
	s := &searched{search.New(search.Layout{Count: r.count(), Size: page, Sections: section[:], Read: r.read}), r}
	return s, s.open()
}

// open reads the probes, and finds out where the series have their runs.
func (s *searched) open() error {
	if err := s.Probe(); err != nil {
		return err
	}
	for _, k := range []series{byFunc, byInit, byWin} {
		if s.Seen[k] == 0 && k != byFunc && s.unwinds() {
			continue
		}
		if err := s.Refine(k); err != nil {
			return err
		}
	}
	return s.Divide()
}

// openSearch prepares the file for answers without a scan. It reports false for a file that is damaged,
// unsorted, or lacks a kind of records, since only a scan can prove that there are none.
func (f *File) openSearch() (bool, error) {
	s, err := newSearched(f.whole.src, cmp.Or(f.opt.Page, pageSize))
	if errors.Is(err, errNoLine) {
		return false, nil
	}
	if err != nil || !s.knows() || s.blocks.module < 0 {
		return false, err
	}
	f.search(s)
	f.x = index{module: s.blocks.module, codeID: s.blocks.codeID, lines: true, inlines: true}
	if err := f.noteCut(); err != nil {
		return false, err
	}
	return true, f.readModule()
}

// search answers queries by search from now on.
func (f *File) search(s *searched) {
	f.searched, f.t = s, s.blocks.t
	f.state.Begin()
}

// knows reports whether the probes have seen all kinds of records that a report lists for a file: that it
// has functions, lines, inlined calls and rules for unwinding.
func (s *searched) knows() bool {
	return s.Flags == hasLines|hasInlines && s.Seen[byFunc] > 0 && s.unwinds()
}

func (s *searched) unwinds() bool { return s.Seen[byInit]+s.Seen[byWin] > 0 }

// stats counts the records in the probes.
func (s *searched) stats() Stats {
	return Stats{
		Bytes: s.blocks.t.src.Size(), Funcs: s.Seen[byFunc], CFI: s.Seen[byInit], Win: s.Seen[byWin],
		Lines: s.Flags&hasLines != 0, Inlines: s.Flags&hasInlines != 0, UTF16: s.blocks.t.unit == 2,
	}
}

// noteCut notes that the last line has no end, as the scan does.
func (f *File) noteCut() error {
	var last [1]byte
	if err := f.t.squeeze(last[:], f.t.size()-1, make([]byte, 2)); err != nil {
		return err
	}
	if last[0] != '\n' {
		f.notes.add(NoteCut, 0, f.t.offset(f.t.size()-1), 1)
	}
	return nil
}

// Unanswered is how many queries were left without an answer because the
// file could not be scanned at the time.
func (f *File) Unanswered() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state.Unanswered
}

// Scan scans a file that was only searched, and returns how many of its earlier answers have changed. It
// does nothing for other files.
func (f *File) Scan() (differ int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err = f.endSearch()
	return f.state.Differ, err
}

// If the index proves wrong, or the search is not certain, it answers again after a scan.
func query[T any](f *File, lookup func() (T, bool)) (v T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, ok = search.Query(&f.state, lookup, func(a, b T) bool { return reflect.DeepEqual(a, b) }, f.tryScan)
	if ok && f.searched != nil && f.searched.TooMany() && f.tryScan() == nil {
		v, ok = lookup()
	}
	if !f.doubted {
		return v, ok
	}
	if err := f.rescan(); err != nil {
		f.failed(err)
		var none T
		return none, false
	}
	return lookup()
}

// tryScan scans a file that was only searched. The error of Options.BeforeScan is none of the file.
func (f *File) tryScan() error {
	err := f.endSearch()
	if err != nil && !errors.As(err, new(errBeforeScan)) {
		f.failed(err)
	}
	return err
}

type errBeforeScan struct{ error }

func (e errBeforeScan) Unwrap() error { return e.error }

// endSearch makes an index of a file that was only searched, and compares the earlier answers with it.
func (f *File) endSearch() (err error) {
	was := f.searched
	if was == nil {
		return nil
	}
	f.searched, f.t = nil, f.whole
	f.state.End()
	if err = f.index(); err != nil {
		f.search(was)
		return err
	}
	f.compare()
	f.doubted = f.doubted || f.saved && f.state.Differ > 0 // the answers were read from the file itself
	if f.doubted {
		if err = f.rescan(); err == nil {
			f.compare()
		}
	}
	f.state.Answers = nil
	return err
}

// compare compares the earlier answers with those of the index.
func (f *File) compare() {
	f.state.Compare()
	if f.state.Differ > 0 {
		f.notes.add(NoteDiffers, 0, 0, f.state.Differ)
		f.scanned = f.notes.sorted()
	}
}

// certain reports what the search has read for an answer: what it needs, or not certainly.
func (f *File) certain(is bool) {
	if !is {
		f.state.Doubt()
	}
}

func (f *File) recordAt(k series, v uint64) (int64, bool) {
	if f.searched == nil {
		return f.x.find(k, v)
	}
	r, ok := f.searched.Find(k, v)
	f.certain(ok)
	return r.Value, ok
}

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
// doubt: no query is answered until it succeeds.
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
