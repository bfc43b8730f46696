// Package crashdump reads crash dumps for Go programs: minidumps, ELF cores, dumps of the Windows kernel, microdumps, and crash reports that are
// text. It is the analysis of the command line and of the page. It reads no file of the machine and no network by itself.
package crashdump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/core/dump/container"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/sanitize"
	"crashglass/core/values/variables"
	"crashglass/symbols"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
)

// A Report is the result of an analysis. Its JSON is described in docs/formats.md, which is stable: fields are added, and not changed.
type Report = report.Report

// Symbols are symbol files and libraries. They may be used by several dumps, and by several goroutines.
type Symbols struct{ store *symbols.Store }

// NewSymbols returns Symbols without files.
func NewSymbols() *Symbols {
	limits := archive.Limits{Decompressors: decompress.All(), Seekers: decompress.Seekers(), Stated: container.StatedSize}
	return &Symbols{symbols.NewStore(symbols.Options{Limits: limits, SearchFrom: symbols.LeastSearched})}
}

// AddFolder adds a folder: a symbol store of Breakpad's, Microsoft's or debuginfod's layout, or files in one place. A file is opened when
// a dump needs it, and must be an [io.ReaderAt], as those of os.DirFS are. Reports name files by the name of the folder and their path.
func (s *Symbols) AddFolder(name string, files fs.FS) { s.store.AddFS(name, files) }

// Add adds a symbol file, a library, or an archive of them. Reports call it by its name. It fails if no file in it has symbols.
func (s *Symbols) Add(name string, file io.ReaderAt, size int64) error {
	why := "this is no symbol file"
	for _, item := range s.store.Add(name, bin.NewSource(file, size)) {
		if item.Use == symbols.IsSymbols {
			return nil
		}
		if item.Message != "" {
			why = item.Message
		}
	}
	return fmt.Errorf("crashdump: %s: %s", name, why)
}

// Close closes the files of folders. The Symbols must not be used afterwards.
func (s *Symbols) Close() error { return s.store.Close() }

// A Dump is an open dump. It reads its file when that is needed. Several goroutines may use it; one at a time gets an answer.
type Dump struct {
	mu      sync.Mutex
	session *analyze.Session
}

// Open opens a file, which must stay open. Most files have one dump; a log may have several. It fails if there is none: damage is a note of the report.
func Open(file io.ReaderAt, size int64) (dumps []*Dump, err error) {
	defer bug.Catch(&err)
	sessions, err := analyze.OpenAll(bin.NewSource(file, size))
	for _, s := range sessions {
		dumps = append(dumps, &Dump{session: s})
	}
	return dumps, err
}

// Options are the options of a report. The zero value is the default.
type Options struct {
	Symbols   *Symbols // nil for none
	Variables bool     // with the arguments and locals of each frame
	Masked    bool     // without names of people, probable secrets and other sensitive text
}

// Report analyses the dump. It fails only if the context ends.
func (d *Dump) Report(ctx context.Context, opt Options) (*Report, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	how := analyze.Options{Cancelled: func() bool { return ctx.Err() != nil }}
	if opt.Variables {
		how.Variables = variables.Read
	}
	var syms analyze.Symbols
	if opt.Symbols != nil {
		syms = opt.Symbols.store
	}
	r, err := d.session.Report(syms, how)
	if errors.Is(err, analyze.ErrCancelled) {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	if opt.Masked {
		r = sanitize.Mask(r, sanitize.People(d.session))
	}
	render.Sentences(r)
	return render.Bounded(r), nil
}

// Memory returns captured bytes at an address: fewer where they end, none where none begin.
func (d *Dump) Memory(addr uint64, size int) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.session.ReadMemory(addr, size)
}

// A Format is a form of a report as text.
type Format string

// The formats. JSON is what `crashglass walk --format json` writes, byte for byte.
const (
	Text     Format = "text"
	JSON     Format = "json"
	Markdown Format = "markdown"
	HTML     Format = "html"
)

// Write writes a report.
func Write(w io.Writer, r *Report, format Format) error {
	switch format {
	case Text:
		return render.Text(w, r, render.Options{})
	case JSON:
		return render.JSON(w, r)
	case Markdown:
		return render.Markdown(w, r, render.Options{})
	case HTML:
		return render.HTML(w, r, render.Options{})
	}
	return fmt.Errorf("crashdump: no format %q", format)
}
