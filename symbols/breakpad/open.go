package breakpad

import (
	"sync"

	"crashglass/core/bin"
)

// Options are what a caller may ask of Open. The zero value is the default.
type Options struct {
	// Progress is called after every few megabytes, not by two goroutines at
	// once. The error that it returns, if any, ends the scan, and Open returns it.
	Progress func(done, total int64) error

	// Parts is how many parts of the file are scanned at once. 0 means as
	// many as the machine and the size of the file suggest. The answers do
	// not depend on it.
	Parts int

	// Ask makes Open read a few pages, and answers be looked for in the file
	// by pages, as long as they are certain. The first question of which the
	// answer is not has the file scanned. A file that lacks functions, lines,
	// inlined calls or unwind rules is scanned when it is opened.
	Ask bool

	// Page is how much is read at once to answer. 0 is best for a disk; a
	// browser reads 64 KiB in the time in which it reads less.
	Page int64

	// Late is called before a file is scanned that was asked or should have
	// been. It may return an index, which saves the scan. The error that it
	// returns, if any, leaves the question without an answer: see
	// File.Unanswered. Open returns it.
	Late func() (index bin.Source, err error)

	// Index is what File.Index returned for the same file before, or ScanPart
	// for each of its parts. It saves the scan, and is read by Open only.
	// Anything else is ignored: see File.Saved.
	Index bin.Source

	// Scanned is called when the file was scanned: by Open, or later when what
	// was in Index turns out to be wrong. index makes the index to keep; it
	// must be called before Scanned returns, or not at all. Scanned must not
	// ask the File anything.
	Scanned func(index func() []byte)
}

// A File is a symbol file with its index. It may be used from several
// goroutines at once.
type File struct {
	whole text // as it is scanned
	opt   Options

	mu         sync.Mutex // guards what follows
	t          text       // as records are read
	asked      *asked     // not nil until the file is scanned
	differ     int        // answers that the scan did not confirm
	unanswered int        // questions
	x          index
	module     Module
	notes      notes
	scanned    []Note // what the scan noted
	cache      caches
	room       []byte // in which lines of a body are read, one body after another
	saved      bool   // the index is the one in opt.Index
	doubted    bool   // and it is wrong
}

// Open scans a symbol file. It fails when the file cannot be read or when
// opt.Progress ends it, and never because of what is in the file: one without
// a single record is an empty File.
func Open(src bin.Source, opt Options) (*File, error) {
	t, err := newText(src)
	if err != nil {
		return nil, err
	}
	f := &File{whole: t, t: t, opt: opt}
	f.opt.Index = bin.Source{}
	if f.load(opt.Index) {
		return f, nil
	}
	if opt.Ask {
		if ok, err := f.openAsked(); ok || err != nil {
			return f, err
		}
	}
	if err := f.index(); err != nil {
		return nil, err
	}
	return f, nil
}

// index makes an index of a file, or takes one that is there.
func (f *File) index() error {
	if f.opt.Late != nil {
		saved, err := f.opt.Late()
		if err != nil {
			return errLate{err}
		}
		if f.load(saved) {
			return nil
		}
	}
	return f.rescan()
}

// Module is what MODULE and INFO CODE_ID say.
func (f *File) Module() Module {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.module
}

// Stats is what a file brings.
type Stats struct {
	Bytes      int64 // size of the file
	IndexBytes int   // memory that the index takes up
	Funcs      int   // ranges of addresses that have a FUNC
	Publics    int
	CFI        int // STACK CFI INIT records
	Win        int // STACK WIN records
	Lines      bool
	Inlines    bool
	UTF16      bool
}

// Stats is known from the scan. Of a file that is only asked it counts what was
// read when it was opened.
func (f *File) Stats() Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked != nil {
		return f.asked.stats()
	}
	return Stats{
		Bytes:      f.t.src.Size(),
		IndexBytes: f.x.bytes(),
		Funcs:      f.x.funcs.Len(),
		Publics:    f.x.publics.Len(),
		CFI:        f.x.inits.Len(),
		Win:        f.x.frames.Len() + f.x.fpo.Len(),
		Lines:      f.x.lines,
		Inlines:    f.x.inlines,
		UTF16:      f.t.unit == 2,
	}
}

// HasNames reports whether the file names anything. The silence of one that
// does not says nothing of which addresses are code.
func (f *File) HasNames() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked != nil || f.x.funcs.Len() > 0 || f.x.publics.Len() > 0
}

// HasCode implements unwind.Rules: a symbol file has none.
func (f *File) HasCode() bool { return false }

// Notes lists what was odd about the file, in its order. Bodies of functions
// are checked when they are read, so the list may grow as addresses are looked up.
func (f *File) Notes() []Note {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.notes.sorted()
}
