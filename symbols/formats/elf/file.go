package elf

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/symbols/archives/decompress"
	"crashglass/symbols/formats/dwarf"
)

// Options are the options of Open. The zero value is the default.
type Options struct {
	// Ask reads only what an address needs, as far as the tables of the file locate it; Later is
	// that of [dwarf.Options].
	Ask   bool
	Later func(done int64) error

	// Progress is called now and then while much is read. The error that it
	// returns, if any, ends the reading, and the call that read returns it.
	Progress func(done, total int64) error

	// Name is the file's name. Code without a symbol is then named by its section and this name.
	Name string
}

// A File is an open ELF file. It may be used from several goroutines at once.
type File struct {
	src bin.Source
	opt Options
	h   header

	segs    []segment
	sects   []section
	base    uint64 // address of the first page
	size    uint64
	buildID []byte
	soname  string

	notes    bin.Notes
	unpacked *decompress.Sections

	attached   []*File
	supplement bool // it was attached as the file that dwz wrote

	// Read on demand.
	names  func() *symtab
	stubs  func() *stubs
	info   func() *dwarf.File
	frames func() []frameTable
	vtabs  func() *symtab
}

// Open reads the headers of a file. It fails without a header, and for files that are no modules:
// object files and core dumps.
func Open(src bin.Source, opt Options) (*File, error) {
	h, err := parseHeader(src)
	if err != nil {
		return nil, err
	}
	f := &File{src: src, opt: opt, h: h}
	f.unpacked = decompress.NewSections(src.Size(), f.note)
	f.forget()
	f.readSections() // first: it may have the number of segments
	if err := f.isModule(); err != nil {
		return nil, err
	}
	f.readSegments()
	f.placeInMemory()
	f.readBuildID()
	f.readSoname()
	return f, nil
}

func (f *File) note(format string, args ...any) { f.notes.Add(fmt.Sprintf(format, args...)) }

// Notes lists the damage. Most of a file is read on demand, so the list may grow.
func (f *File) Notes() []string {
	out, _ := f.notes.List()
	for _, other := range f.attached {
		out = append(out, other.Notes()...)
	}
	for _, t := range f.frames() {
		out = append(out, t.Notes()...)
	}
	return append(out, f.info().Notes()...)
}
