// Package capsule makes what a person gives away beside a report: the records of
// symbol files that stacks need, as one archive, and capsules, which are
// viewer.html with a dump and those records inside.
//
//	files, _, err := capsule.Symbols(session, store, slice.AllNames, nil)
//	made := capsule.Capsule{About: capsule.Of(time.Now(), true), Files: files, Pack: capsule.Stored}
//	err = made.Write(out, viewer)
//
// Read capsule.go, then write.go, which has the form of the file. web/src/engine/capsule.ts
// reads it.
package capsule

import (
	"bytes"
	"io"
	"time"

	"crashglass/core/analyze"
	"crashglass/core/bin"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/core/version"
	"crashglass/symbols/layout"
	"crashglass/symbols/slice"
)

// A Capsule is viewer.html with a dump and what it needs inside: each file in an
// element that is no script, compressed by gzip, as the page's own files are.
type Capsule struct {
	About About
	Files []File
	Mask  *sanitize.Masker                     // of names of people in what goes with the dump; nil where they stay
	Pack  func(w io.Writer, data []byte) error // writes data as gzip: Stored, or one that compresses
}

// About is what the page says of a capsule.
type About struct {
	Made    string `json:"made"`    // RFC 3339, UTC
	By      string `json:"by"`      // the program and its version
	Cleaned bool   `json:"cleaned"` // by sanitize
}

// A File is one file in it.
type File struct {
	Role string // "dump", "symbols" or "source"
	Name string
	Data []byte
}

// Of is what a capsule that is made at that time says.
func Of(made time.Time, cleaned bool) About {
	return About{Made: made.UTC().Format(time.RFC3339), By: version.Name(), Cleaned: cleaned}
}

// Names are the ways to say whose function names symbols keep.
var Names = map[string]slice.Names{"all": slice.AllNames, "own": slice.OwnNames, "none": slice.NoNames}

// AddDump adds the dump.
func (k *Capsule) AddDump(name string, data []byte) {
	k.Files = append(k.Files, File{"dump", k.masked(name, (*sanitize.Masker).Text), data})
}

// AddSource adds the part of a source file that is around lines.
func (k *Capsule) AddSource(path string, text []byte, at []int) {
	k.Files = append(k.Files, Source(k.masked(path, (*sanitize.Masker).Path), text, at))
}

// masked is a text as it goes into the capsule.
func (k *Capsule) masked(text string, by func(*sanitize.Masker, string) string) string {
	if k.Mask == nil {
		return text
	}
	return by(k.Mask, text)
}

// Symbols are the slices that the stacks of a dump need, under their places in a
// symbol store, and the report of the walk that found out.
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
			files = append(files, File{"symbols", place, b.Bytes()})
		}
	}
	return files, r, nil
}

// SymbolsOf are those of a dump that is not open yet, masked as the capsule is.
func (k *Capsule) SymbolsOf(dump []byte, syms analyze.Symbols, names slice.Names) ([]File, *report.Report, error) {
	sessions, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(dump), int64(len(dump))))
	if err != nil {
		return nil, nil, err
	}
	return Symbols(sessions[0], syms, names, k.Mask)
}
