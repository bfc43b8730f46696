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
}

// A File is a symbol file with its index. It may be used from several
// goroutines at once.
type File struct {
	t      text
	x      index
	module Module

	mu    sync.Mutex // guards what follows
	notes notes
	cache caches
}

// A Module is what a file says of the module that it describes. All of it may
// be empty.
type Module struct {
	OS, Arch string // as written: "Linux", "x86_64"
	ID       string // GUID and age
	Name     string // debug file, without folders
	CodeID   string // of INFO CODE_ID
	CodeFile string // of INFO CODE_ID
}

// Open scans a symbol file. It fails when the file cannot be read or when
// opt.Progress ends it, and never because of what is in the file: one without
// a single record is an empty File.
func Open(src bin.Source, opt Options) (*File, error) {
	t, err := newText(src)
	if err != nil {
		return nil, err
	}
	s, err := scan(t, opt)
	if err != nil {
		return nil, err
	}
	f := &File{t: t, x: s.index, notes: s.notes}
	f.module, err = f.readModule()
	return f, err
}

// Module is what MODULE and INFO CODE_ID say.
func (f *File) Module() Module { return f.module }

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

// Stats is known from the scan.
func (f *File) Stats() Stats {
	return Stats{
		Bytes:      f.t.src.Size(),
		IndexBytes: f.x.bytes(),
		Funcs:      f.x.funcs.len(),
		Publics:    f.x.publics.Len(),
		CFI:        f.x.inits.len(),
		Win:        f.x.frames.len() + f.x.fpo.len(),
		Lines:      f.x.lines,
		Inlines:    f.x.inlines,
		UTF16:      f.t.unit == 2,
	}
}

// Notes lists what was odd about the file, in its order. Bodies of functions
// are checked when they are read, so the list may grow as addresses are looked up.
func (f *File) Notes() []Note {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.notes.sorted()
}

// readModule reads the records that say what the file is about.
func (f *File) readModule() (m Module, err error) {
	if f.x.module >= 0 {
		line, err := f.lineAt(f.x.module)
		if err != nil {
			return m, err
		}
		_, rest := kindOf(line)
		r := fieldsOf(rest)
		m.OS, m.Arch, m.ID, m.Name = string(r.word()), string(r.word()), string(r.word()), string(r.rest())
		if r.bad {
			f.notes.addLate("MODULE is malformed", f.t.offset(f.x.module))
		}
	}
	if f.x.codeID >= 0 {
		line, err := f.lineAt(f.x.codeID)
		if err != nil {
			return m, err
		}
		_, rest := kindOf(line)
		r := fieldsOf(rest)
		r.word()
		m.CodeID, m.CodeFile = string(r.word()), string(r.rest())
	}
	return m, nil
}

// lineAt reads the line at a unit offset, which the scan has found.
func (f *File) lineAt(at int64) ([]byte, error) {
	r := f.t.linesFrom(at, f.t.size())
	line, _, _ := r.next()
	return line, r.err
}
