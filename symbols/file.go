package symbols

import (
	"cmp"
	"errors"
	"path"
	"strings"
	"sync/atomic"

	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
)

// A file is a symbol file of a module, or a part of one. At first only its first bytes are read.
type file struct {
	name    string // its path as the user knows it, with the archives that contain it
	size    int64  // -1 when it is not known without decompressing
	kind    sniff.Kind
	traits  formats.Traits
	build   formats.Build
	id      id
	codeID  id
	arch    string
	stems   [3]string // of the names that it has
	content *content  // nil if it is useless
	block   int64     // how much is unpacked to read any byte of it

	place report.Place // where on this machine it was found; "" for a file that was given

	remote bool // a file at a host, fetched in parts
	whole  bool // all of a remote file is there

	useless bool // known from the start; flaw says why
	tried   bool
	serves  map[moduleKey]bool // the modules for which it was loaded
	parts   []*file            // split DWARF that is attached to the reader
	units   []formats.Part     // its skeleton or split units, or its object files; nil until they are needed
	reader  *guarded
	flaw    string // what is wrong with it, to follow its name

	bug atomic.Pointer[bug.Error] // a bug of ours that a query caused
	has formats.Contents          // as they were before that
}

// newUseless makes a file that explains why a module has no symbols: the file has the path or the
// name of a symbol file, but is not one.
func newUseless(name string, size int64, b formats.Build, flaw string) *file {
	f := newFile(name, size, sniff.Unknown, b, nil)
	f.tried, f.useless, f.flaw = true, true, flaw
	return f
}

// symNamed reports whether a file has the name of a symbol file.
func symNamed(name string) bool {
	name = strings.ToLower(name)
	for _, ending := range []string{".gz", ".zst", ".xz"} {
		name = strings.TrimSuffix(name, ending)
	}
	return strings.HasSuffix(name, ".sym")
}

func newFile(name string, size int64, k sniff.Kind, b formats.Build, c *content) *file {
	return &file{
		name: name, size: size, kind: k, traits: formats.All[k].Traits, build: b, id: idOf(b.ID), codeID: codeIDOf(b.CodeID), arch: archOf(b.Arch),
		stems: [3]string{stem(b.Name), stem(b.CodeFile), stem(name)}, content: c,
	}
}

// errStopped wraps the error by which the caller stopped the work.
type errStopped struct{ error }

func (e errStopped) Unwrap() error { return e.error }

// load opens the file, once. It fails only if it was stopped; then it may be called again.
func (f *file) load(opt Options) error {
	if f.tried {
		return nil
	}
	src, err := f.content.open()
	if errors.As(err, &errStopped{}) {
		return err
	}
	f.flaw = flawOf(err)
	if src.Size() > 0 {
		if err := f.read(src, opt); err != nil {
			return err
		}
	} else if f.flaw == "" {
		f.flaw = "is empty"
	}
	f.tried = true
	return nil
}

func (f *file) read(src bin.Source, opt Options) error {
	var stopped error
	progress := func(done, total int64) error {
		if opt.Progress != nil {
			stopped = opt.Progress(f.name, done, total)
		}
		return stopped
	}
	beforeRead := func(done int64) error {
		if opt.BeforeRead == nil {
			return nil
		}
		return opt.BeforeRead(f.name, done)
	}
	how := formats.Options{
		Name: f.name, Progress: progress, BeforeRead: beforeRead, Cache: opt.Cache,
		SearchFrom: f.searchFrom(src, opt), SearchPage: opt.SearchPage, HiddenNames: opt.hiddenNames,
	}
	if f.remote {
		how.SearchFrom, how.SearchPage, how.BeforeScan = 1, remotePage, func() error { return f.late(opt) }
	}
	r, err := opt.formats.Open(f.kind, src, f.build, how)
	if stopped != nil {
		return errStopped{stopped}
	}
	if errors.Is(err, formats.ErrPending) {
		return errStopped{err}
	}
	if err != nil {
		f.flaw = flawOf(err)
		return nil
	}
	f.reader = &guarded{r, f}
	return nil
}

// leastBlocks is the least number of blocks of a compressed file that is searched: a stack needs
// some hundred pages spread over the file, and a large file of a few blocks would be decompressed
// several times.
const leastBlocks = 256

// searchFrom is Options.SearchFrom for the content, 0 if reading from front to back is better.
func (f *file) searchFrom(src bin.Source, opt Options) int64 {
	if f.block > src.Size()/leastBlocks {
		return 0
	}
	return opt.SearchFrom
}

// flawOf returns the sentence about a file that could not be read, "" without an error.
func flawOf(err error) string {
	if err == nil {
		return ""
	}
	return "cannot be read: " + err.Error()
}

// usable reports whether a loaded file can be used, and why not.
func (f *file) usable() (bool, string) {
	if f.reader == nil {
		return false, f.flaw
	}
	if c := f.reader.Contents(); !c.Named() && !c.Frames && !c.Code {
		return false, cmp.Or(c.Limit, "has no record of any function, symbol or unwinding rule")
	}
	return true, f.flaw
}

// remark returns one sentence about a defect of a used file, or "".
func (f *file) remark() string {
	said := f.reader.Contents().Remarks
	if f.flaw != "" {
		said = append([]string{f.flaw}, said...)
	}
	if b := f.bug.Load(); b != nil {
		said = append([]string{"could not be read any further: " + b.Error()}, said...)
	}
	return strings.Join(said, "; ")
}

// stem is the form in which names are compared: without folders, without the endings that differ
// between a program, its debug file and its symbol file, and in one case.
func stem(name string) string {
	name = strings.ToLower(path.Base(module.Basename(name)))
	for trimmed := true; trimmed; {
		trimmed = false
		for _, ending := range []string{".gz", ".zst", ".xz", ".sym", ".pdb", ".exe", ".dll", ".dbg", ".debug"} {
			if s, ok := strings.CutSuffix(name, ending); ok && s != "" {
				name, trimmed = s, true
			}
		}
	}
	return name
}
