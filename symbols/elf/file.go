package elf

import (
	"fmt"

	"crashglass/core/bin"
	"crashglass/symbols/decompress"
	"crashglass/symbols/dwarf"
)

// Options are what a caller may ask of Open. The zero value is the default.
type Options struct {
	// Ask says that only what is needed for an address is read, where the tables
	// of the file say what that is; Later is that of [dwarf.Options].
	Ask   bool
	Later func(done int64) error

	// Progress is called now and then while much is read. The error that it
	// returns, if any, ends the reading, and the call that read returns it.
	Progress func(done, total int64) error

	// Name is what the file is called. Code that no symbol names is then said
	// to be in a section of it.
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
	supplement bool // it was attached as what dwz found in several files

	// What is read when it is asked for.
	names  func() *symtab
	stubs  func() *stubs
	info   func() *dwarf.File
	frames func() []frameTable
	vtabs  func() *symtab
}

// Open reads the headers of a file. It fails where there is no header, or one
// of a file that is no module: an object file or a core dump.
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

// Notes lists what was damaged. Most of a file is read when it is asked for, so
// the list may grow.
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
