package breakpad

import (
	"cmp"
	"errors"
	"reflect"
	"slices"

	"crashglass/core/bin"
)

// A file that is opened with Options.Ask is not scanned. A search answers each question, as long as it is
// certain of the answer. The first uncertain answer causes a scan, and the question is asked again.

// A subject is the kind of a question.
type subject uint8

const (
	aLocation subject = iota
	aFunction
	aCallFrame
	aWinFrame
)

// An answer was given before the file was scanned, and is compared with the scan's.
type answer struct {
	about subject
	rel   uint64
	value any
}

// maxAnswers bounds how many answers are remembered. The first ones belong to the main thread of a
// report.
const maxAnswers = 1 << 14

// NoteDiffers is the text of the Note on answers in which search and scan differ: records far from each
// other cover one address.
const NoteDiffers = "records out of place are about addresses that were asked for before"

// asked is the state of a file that is not scanned yet.
type asked struct {
	*search
	given []answer
}

// openAsked prepares the file for answers without a scan. It reports false for a file that is damaged,
// unsorted, or lacks a kind of records, since only a scan can prove that there are none.
func (f *File) openAsked() (bool, error) {
	s, err := newSearch(f.whole.src, cmp.Or(f.opt.Page, pageSize))
	if errors.Is(err, errNoLine) {
		return false, nil
	}
	if err != nil || !s.knows() {
		return false, err
	}
	first, err := s.block(0)
	if err != nil || first.module < 0 {
		return false, err
	}
	f.asked, f.t = &asked{search: s}, s.t
	f.x = index{module: first.module, codeID: first.codeID, lines: true, inlines: true}
	if err := f.noteCut(); err != nil {
		return false, err
	}
	return true, f.readModule()
}

// knows reports whether the probes have seen all kinds of records that a report lists for a file: that it
// has functions, lines, inlined calls and rules for unwinding.
func (s *search) knows() bool {
	return s.lines && s.inlines && s.seen[byFunc] > 0 && s.seen[byInit]+s.seen[byWin] > 0
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

// Unanswered is how many questions were left without an answer because the
// file could not be scanned when they were asked.
func (f *File) Unanswered() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unanswered
}

// Scan scans a file that was only searched, and returns how many of its earlier answers have changed. It
// does nothing for other files.
func (f *File) Scan() (differ int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked != nil {
		err = f.stopAsking()
	}
	return f.differ, err
}

// stopAsking makes an index of a file that was asked, and compares the answers
// that were given with it.
func (f *File) stopAsking() (err error) {
	was, t := f.asked, f.t
	f.asked, f.t = nil, f.whole
	if err = f.index(); err != nil {
		f.asked, f.t = was, t
		return err
	}
	f.check(was.given)
	f.doubted = f.doubted || f.saved && f.differ > 0 // the answers were read from the file itself
	if !f.doubted {
		return nil
	}
	if err = f.rescan(); err == nil {
		f.differ = 0
		f.check(was.given)
	}
	return err
}

// errLate is the error of Options.Late.
type errLate struct{ error }

func (e errLate) Unwrap() error { return e.error }

// refused records an error that left a question unanswered.
func (f *File) refused(err error, found bool) {
	if !found {
		f.unanswered++
	}
	if !errors.As(err, new(errLate)) {
		f.failed(err)
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

// certain reports an answer of the search: found, or not certain.
func (f *File) certain(is bool) {
	if !is && f.asked != nil {
		f.asked.unsure = true
	}
}

// recordAt returns the offset of the record of a series that has a number.
func (f *File) recordAt(k series, v uint64) (int64, bool) {
	if f.asked != nil {
		r, ok := f.asked.find(k, v)
		return r.Value, ok
	}
	return f.x.find(k, v)
}

// byAsking answers a question if it can do so without a scan.
func byAsking[T any](f *File, about subject, rel uint64, question func() (T, bool)) (T, bool) {
	f.asked.unsure = false
	v, ok := question()
	if !ok || f.asked.unsure {
		var none T
		return none, false
	}
	if len(f.asked.given) < maxAnswers {
		f.asked.given = append(f.asked.given, answer{about, rel, v})
	}
	return v, true
}

// tooMany reports whether the searches have read as much as a scan would.
func (s *search) tooMany() bool { return s.scans > probeCount && int64(s.scans) > s.count()/scanShare }

// scanShare is how many blocks a scan reads in the time in which a search reads and scans one: measured
// on a disk with two processors, and in a browser with four workers.
const scanShare = 4

// check compares the answers that were given with those of the index.
func (f *File) check(given []answer) {
	for _, a := range given {
		if !reflect.DeepEqual(a.value, f.again(a)) {
			f.differ++
		}
	}
	if f.differ > 0 {
		f.notes.add(NoteDiffers, 0, 0, f.differ)
		f.scanned = f.notes.sorted()
	}
}

// again asks a question once more.
func (f *File) again(a answer) (value any) {
	switch a.about {
	case aLocation:
		value, _ = f.locate(a.rel)
	case aFunction:
		value, _ = f.function(a.rel)
	case aCallFrame:
		value, _ = f.callFrame(a.rel)
	case aWinFrame:
		value, _ = f.winFrame(a.rel)
	}
	return value
}
