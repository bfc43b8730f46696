// Package breakpad reads and writes Breakpad symbol files: the text that dump_syms makes from debug
// information.
//
// Opening a file scans it once, at about the speed of memory, and keeps the offset and the address
// range of each record: about 4 % of the file's size. The content of a record (names, source lines,
// inlined calls, unwind rules) is read and parsed when a lookup needs it.
//
//	f, err := breakpad.Open(src, breakpad.Options{})
//	if err != nil {
//		return err // the file could not be read, or the caller cancelled
//	}
//	loc, ok := f.Locate(0x4a10) // relative to the module's base
//
// With [Options.Search] the file is not scanned at first. A search reads the pages that must contain a
// record if the file is sorted, as writers leave it. It answers only when it is certain: a record
// covers the address, and its body is complete. It never answers that there is no record. The
// search covers every run of ascending addresses that 32 probes show. It does not see a single
// misplaced record for the same address; a later scan compares the answers and notes the
// difference.
//
// No content makes Open fail. A malformed record is skipped and causes a [Note]. Records in any
// order, overlapping, duplicated, or with wrong sizes give the answers that [File.Locate]
// describes. Memory is bounded by the number of records, never by a number that a record states,
// and time is linear in the size of the file.
//
// The package evaluates no unwind rules and demangles no names.
//
// Read fields.go first, which identifies records, then scan.go and index.go, which find
// them. function.go, body.go and cfi.go parse records for locate.go and rules.go. search.go and block.go are the search without an index, parts.go the parallel scan, saved.go the
// saved index, and write.go writes symbol files.
//
// Format: Breakpad's docs/symbol_files.md. It does not define overlapping records. Comments at each
// decision say what Breakpad's basic_source_line_resolver.cc and rust-minidump's breakpad-symbols
// do.
package breakpad

import (
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/base/recent"
	"crashglass/symbols/search"
)

// Options are the options of Open. The zero value is the default.
type Options struct {
	// Progress is called after every few megabytes, never concurrently. If it returns an error, the
	// scan ends and Open returns the error.
	Progress func(done, total int64) error

	// Parts is how many parts of the file are scanned at once. 0 means as
	// many as the machine and the size of the file suggest. The answers do
	// not depend on it.
	Parts int

	// Search makes Open read only a few pages, and lookups search the file by pages while their
	// answers are certain. The first uncertain answer causes a scan. A file without functions,
	// lines, inlined calls or unwind rules is scanned when it is opened.
	Search bool

	// Page is the size of a read for a lookup. 0 is best for a disk; a browser reads 64 KiB as fast
	// as less.
	Page int64

	// BeforeScan is called before the scan of a file that was searched or should have been. It may return
	// an index, which saves the scan. If it returns an error, the query stays unanswered, see
	// File.Unanswered; Open returns the error.
	BeforeScan func() (index bin.Source, err error)

	// Index is an earlier result of File.Index for the same file, or of ScanPart for each of its
	// parts. It saves the scan, and only Open reads it. Other bytes are ignored: see File.Saved.
	Index bin.Source

	// Scanned is called after the file was scanned: by Open, or later if Index proves wrong. index
	// makes the index to keep; it must be called before Scanned returns, or not at all. Scanned
	// must not query the File.
	Scanned func(index func() []byte)
}

// A File is a symbol file with its index. It may be used from several
// goroutines at once.
type File struct {
	whole text // for the scan
	opt   Options

	mu       sync.Mutex // guards what follows
	t        text       // for reading records
	searched *searched  // not nil until the file is scanned
	state    search.State
	x        index
	module   Module
	notes    notes
	scanned  []Note // what the scan noted
	cache    caches
	room     []byte // in which lines of a body are read, one body after another
	saved    bool   // the index is the one in opt.Index
	doubted  bool   // and it is wrong
}

// Open scans a symbol file. It fails if the file cannot be read or if opt.Progress ends the scan,
// and never because of the content: a file without any record is an empty File.
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
	if opt.Search {
		if ok, err := f.openSearch(); ok || err != nil {
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
	if f.opt.BeforeScan != nil {
		saved, err := f.opt.BeforeScan()
		if err != nil {
			return errBeforeScan{err}
		}
		if f.load(saved) {
			return nil
		}
	}
	return f.rescan()
}

// Module returns the content of MODULE and INFO CODE_ID.
func (f *File) Module() Module {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.module
}

// Stats counts the records of a file.
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

// Stats comes from the scan. For a file that is only searched it counts the records that Open read.
func (f *File) Stats() Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.searched != nil {
		return f.searched.stats()
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

// HasNames reports whether the file names any function. If not, a missing name does not mean that
// an address is no code.
func (f *File) HasNames() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.searched != nil || f.x.funcs.Len() > 0 || f.x.publics.Len() > 0
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

// A cache holds records that were parsed lately.
type cache[V any] = recent.Cache[int64, V]

// caches hold records that were parsed on demand, by offset; files and origins by their number.
// Each keeps recent.DefaultLimit, roughly.
type caches struct {
	symbols cache[symbol]
	bodies  cache[*body]
	frames  cache[*frames]
	wins    cache[winRecord]
	files   cache[string]
	origins cache[origin]
}
