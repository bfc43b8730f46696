// Package capsule makes capsules: viewer.html with a dump inside, and the records of symbol files
// that its stacks need.
//
//	made := capsule.Capsule{About: capsule.Of(time.Now(), true), Pack: capsule.Stored}
//	made.AddDump("crash.dmp", data)
//	files, _, err := made.SymbolsOf(data, store, slice.AllNames)
//	made.Files = append(made.Files, files...)
//	err = made.Write(out, viewer)
//
// Read capsule.go, then write.go, which writes the file that web/src/engine/inside.ts reads.
package capsule

import (
	"bytes"
	"io"
	"time"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/base/version"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/symbols/layout"
	"crashglass/symbols/share/slice"
)

// A Capsule is viewer.html with a dump and what it needs inside. Each file is in an element that the
// browser does not run, compressed by gzip, as the page's own files are.
type Capsule struct {
	About About
	Files []File
	Mask  *sanitize.Masker                     // masks names of people in what goes with the dump; nil keeps them
	Pack  func(w io.Writer, data []byte) error // writes data as gzip: Stored, or one that compresses
}

// About is what a capsule says of itself. Anyone can write one, so the page shows it as the file's words.
type About struct {
	Made    string `json:"made"`    // RFC 3339, UTC
	By      string `json:"by"`      // the program and its version
	Cleaned bool   `json:"cleaned"` // by sanitize
}

// A File is one file in it.
type File struct {
	Role Role
	Name string
	Data []byte
}

// A Role is the use of a file.
type Role string

// The roles.
const (
	IsDump    Role = "dump"
	IsSymbols Role = "symbols"
	IsSource  Role = "source"
)

// Of describes a capsule that is made at a time.
func Of(made time.Time, cleaned bool) About {
	return About{Made: made.UTC().Format(time.RFC3339), By: version.Name(), Cleaned: cleaned}
}

// Names are the choices of function names that symbols keep, by their words on the command line.
var Names = map[string]slice.Names{"all": slice.AllNames, "own": slice.OwnNames, "none": slice.NoNames}

// AddDump adds the dump.
func (k *Capsule) AddDump(name string, data []byte) {
	k.Files = append(k.Files, File{IsDump, k.masked(name, (*sanitize.Masker).Text), data})
}

// AddSource adds the part of a source file that is around lines.
func (k *Capsule) AddSource(path string, text []byte, at []int) {
	k.Files = append(k.Files, sourceOf(k.masked(path, (*sanitize.Masker).Path), text, at))
}

// masked is a text as the capsule has it: without names of people, if it has a mask.
func (k *Capsule) masked(text string, by func(*sanitize.Masker, string) string) string {
	if k.Mask == nil {
		return text
	}
	return by(k.Mask, text)
}

// Symbols returns the slices that the stacks of a dump need, by their paths in a symbol store, and
// the report of the walk that asked for them.
func Symbols(s *analyze.Session, syms analyze.Symbols, names slice.Names, mask *sanitize.Masker) (files []File, r *report.Report, err error) {
	slicer := slice.New()
	if mask != nil {
		slicer.Mask = mask
	}
	if r, err = slicer.Add(s, syms); err != nil {
		return nil, nil, err
	}
	mods := slicer.Modules()
	for i := range mods {
		var b bytes.Buffer
		if err := slicer.Write(&b, &mods[i], names); err != nil {
			return nil, nil, err
		}
		if place := layout.Place(&mods[i]); place != "" {
			files = append(files, File{IsSymbols, place, b.Bytes()})
		}
	}
	return files, r, nil
}

// SymbolsOf is Symbols for a dump that is not open yet, with the mask of the capsule.
func (k *Capsule) SymbolsOf(dump []byte, syms analyze.Symbols, names slice.Names) ([]File, *report.Report, error) {
	sessions, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(dump), int64(len(dump))))
	if err != nil {
		return nil, nil, err
	}
	return Symbols(sessions[0], syms, names, k.Mask)
}
