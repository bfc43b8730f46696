// Package pe reads the programs and libraries of Windows themselves: PE32 and PE32+ images, as they
// are on disk. Even without symbols such a file has unwind rules for each function, exported names,
// and code.
//
//	f, err := pe.Open(src, pe.Options{})
//	if err != nil {
//		return err // not a PE image
//	}
//	m := f.Module()               // which build this is
//	frame, ok := f.CallFrame(rel) // x64 and ARM64: from .pdata and .xdata
//	loc, ok := f.Locate(rel)      // exports, and the symbols of MinGW
//	n := f.ReadImage(rel, p)      // code
//
// Opening a file reads its headers and the record that identifies it. Tables are read when the
// first query needs them, unwind records one by one. Damage costs only the damaged part, and
// becomes one of [File.Notes]: a function has no rules if one of its unwind codes is unknown,
// because a wrong frame is worse than none.
//
// Rules are made from the unwind codes for the exact instruction, as Windows does it: in a prolog
// from the codes of the executed instructions, in an epilog from those that are left.
// DIFFERENCES.md compares the resulting STACK CFI records with those of dump_syms.
//
// Images of MinGW's compilers may contain DWARF, which packages dwarf and, for x86, cfi read. Functions of Go have names, lines and
// rules by Go's table, which gotable.go finds.
// Package pdb reads PDB files. Images of CPUs other than x86, x64 and ARM64 are opened, but not
// unwound. Images as they are in memory are read with Options.Mapped; object files and .NET metadata are not read.
//
// Read open.go first, then header.go and section.go; names.go reads names, table.go finds
// the entry of an address, unwindinfo.go and amd64.go make the rules of x64, armrecord.go and
// arm64.go those of ARM64, hybrid.go tells them apart in images with both, and callframe.go joins them.
//
// Sources: Microsoft's "PE Format", "x64 exception handling" and "ARM64 exception handling"; where
// they are unclear this package follows Windows, by the published copy of its unwinder in
// dotnet/runtime (src/coreclr/unwinder).
package pe

import (
	"fmt"
	"slices"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/core/process/module"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/formats/dwarf"
	"crashglass/symbols/formats/gopclntab"
	"crashglass/symbols/tables/cfi"
)

// Options are the options of Open. The zero value is the default.
type Options struct {
	// Progress is called now and then while a listing reads much. The error
	// that it returns, if any, ends the listing, which returns it.
	Progress func(done, total int64) error

	// Mapped says that the source is an image in memory: its sections lie at their addresses.
	Mapped bool
}

// A File is an open PE image. It may be used from several goroutines at once.
type File struct {
	unwind.NoWinFrames
	src    bin.Source
	pages  *bin.Pager
	opt    Options
	h      header
	module module.Module

	sections  []section    // in the order of the file, in which symbols count them
	byAddress ranges.Table // of sections

	notes *notes
	work  *bin.Budget // what listing unwind rules may still cost

	records records

	functions   func() *table
	halves      func() *hybrid
	names       func() *names
	data        func() []symbol // variables
	relocated   func() *loaded
	longStrings func() int64
	info        func() *dwarf.File
	frames      func() *cfi.Table // of x86; nil when there is none
	golang      func() *gopclntab.Table
}

// cacheSize is how many bytes of the file are cached.
const cacheSize = 4 << 20

// Open reads the headers and the identity of an image. It fails without a PE header.
func Open(src bin.Source, opt Options) (*File, error) {
	h, err := readHeader(src)
	if err != nil {
		return nil, fmt.Errorf("pe: %w", err)
	}
	f := &File{
		notes: &notes{bin.Notes{Limit: maxNotes}}, src: src, pages: bin.NewPager("image", src, cacheSize), opt: opt, h: h,
		work: bin.NewBudget(leastWork + workPerByte*min(src.Size(), 1<<40)),
	}
	f.functions = sync.OnceValue(f.readFunctions)
	f.halves = sync.OnceValue(f.readHybrid)
	f.names = sync.OnceValue(f.readNames)
	f.data = sync.OnceValue(f.readData)
	f.relocated = sync.OnceValue(f.readRelocated)
	f.info = sync.OnceValue(f.openDebugInfo)
	f.frames = sync.OnceValue(f.openFrames)
	f.golang = sync.OnceValue(f.openGo)
	f.longStrings = sync.OnceValue(f.findStrings)
	f.readSections()
	if !opt.Mapped { // the module's list names it, and memory that is read stays in a sanitized dump
		f.module = f.identify()
	}
	return f, nil
}

// Module is the image's identity. CodeFile is the name in its exports and DebugFile the name in its
// debug record, both without folders, and "" if missing.
func (f *File) Module() module.Module { return f.module }

// Notes returns the damage found so far, one sentence each.
func (f *File) Notes() []string {
	out := append(f.notes.sorted(), f.info().Notes()...)
	if t := f.frames(); t != nil {
		out = append(out, t.Notes()...)
	}
	return append(out, f.golang().Notes()...)
}

// HasNames reports whether all code has names. Without debug information it does not: functions
// that are not exported have no name.
func (f *File) HasNames() bool { return !f.info().Empty() }

// HasRules reports whether the image has unwind codes.
func (f *File) HasRules() bool { return len(f.functions().entries) > 0 || f.golang().Len() > 0 }

// HasCode implements unwind.Rules: a file that has the beginning of the image
// has its code.
func (f *File) HasCode() bool { return f.ReadImage(0, make([]byte, 1)) > 0 }

// maxNotes is how many notes are kept; a damaged table could have one for each entry.
const maxNotes = 32

// notes are the defects, each once.
type notes struct{ bin.Notes }

// add remembers a defect. The text is that of an error.
func (n *notes) add(err error) { n.Add("pe: " + err.Error()) }

// sorted are the notes in an order that does not depend on what was asked first.
func (n *notes) sorted() []string {
	out, more := n.List()
	slices.Sort(out)
	if more > 0 {
		out = append(out, fmt.Sprintf("pe: %d further defects", more))
	}
	return out
}

func (f *File) note(what string, off int64, format string, args ...any) {
	f.notes.add(defect(what, off, format, args...))
}
