// Package elf reads ELF files: programs, shared libraries, and their separate debug files.
//
//	f, err := elf.Open(src, elf.Options{})
//	if err != nil {
//		return err // not ELF, or no header that could be read
//	}
//	f.Module().DebugID // as Breakpad spells it
//	f.Locate(rel)      // function, file and line, inlined calls
//
// Opening a file reads its headers and its build id. Everything else is read on demand, so a file
// of hundreds of megabytes opens at once. Damage costs only the damaged part: a section that
// reaches beyond the file counts as absent, and a note says so.
//
// Names come from DWARF (package dwarf) if there is any, then from Go's table (package gopclntab), and
// otherwise from the linker's symbol tables. Stubs for calls of other modules are named by their
// relocations ("malloc@plt"). Unwind rules of Go's functions come from Go's table, those of others from
// .eh_frame, .debug_frame and .ARM.exidx.
//
// Addresses are relative to the module's base: the page of the lowest segment that is loaded.
// Relocatable files (.o) have no base and are refused.
//
// Read file.go first, then header.go, segment.go and section.go; symbol.go and plt.go read names,
// file.go, frames.go and gotable.go open packages dwarf, cfi and gopclntab, locate.go queries them in
// turn, and attach.go joins files.
//
// Layouts: System V ABI, chapters 4 and 5, https://gabi.xinuos.com, which elf(5) repeats. This
// package does not relocate, does not load, and does not look for other files: Attach joins the
// given ones.
package elf

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/archives/decompress"
	"crashglass/symbols/formats/dwarf"
	"crashglass/symbols/formats/gopclntab"
)

// Options are the options of Open. The zero value is the default.
type Options struct {
	// Search reads only what an address needs, as far as the tables of the file locate it; BeforeRead is
	// that of [dwarf.Options].
	Search     bool
	BeforeRead func(done int64) error

	// Progress is called now and then while much is read. The error that it
	// returns, if any, ends the reading, and the call that read returns it.
	Progress func(done, total int64) error

	// Name is the file's name. Code without a symbol is then named by its section and this name.
	Name string

	// Placed accepts an object file whose sections have addresses.
	Placed bool
}

// A File is an open ELF file. It may be used from several goroutines at once.
type File struct {
	unwind.NoWinFrames
	src bin.Source
	opt Options
	h   header

	segs    []segment
	sects   []section
	base    uint64 // address of the first page
	size    uint64
	buildID []byte
	soname  string

	textRelocs bool // the dynamic linker changes code

	notes    bin.Notes
	unpacked *decompress.Sections

	attached   []*File
	supplement bool // it was attached as the file that dwz wrote

	// Read on demand.
	names   func() *symtab
	stubs   func() *stubs
	info    func() *dwarf.File
	frames  func() []frameTable
	objects func() *symtab
	golang  func() *gopclntab.Table
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
		out = append(out, t.Notes()...) // also of Go's table
	}
	return append(out, f.info().Notes()...)
}

// sections collects debug information: .debug_info and the others, or those of
// split units.
func (f *File) sections(suffix string) dwarf.Sections {
	out := dwarf.Sections{}
	for _, name := range dwarf.SectionNames {
		if src := f.Section(".debug_" + name + suffix); src.Size() > 0 {
			out[name] = src
		}
	}
	if suffix == "" {
		return out
	}
	if src := f.Section(".debug_cu_index"); src.Size() > 0 {
		out["cu_index"] = src
	}
	return out
}

// SplitUnits returns what ties a program to its split DWARF: its skeleton units, or the units in a .dwo or .dwp file.
func (f *File) SplitUnits() ([]dwarf.SplitUnit, error) {
	suffix := ""
	if f.IsSplit() {
		suffix = ".dwo"
	}
	return dwarf.SplitUnits(f.sections(suffix), dwarf.Options{BigEndian: f.h.order == binary.BigEndian, Progress: f.opt.Progress})
}

// has reports whether a section has bytes, compressed or not.
func (f *File) has(name string) bool {
	if f.find(name) != nil {
		return true
	}
	rest, ok := cutDebug(name)
	return ok && f.find(".zdebug_"+rest) != nil
}

// DWARF returns the debug information, which is empty if there is none.
func (f *File) DWARF() *dwarf.File { return f.info() }

// openDebugInfo joins the DWARF of this file and of those attached. The first file that has any is
// used.
func (f *File) openDebugInfo() *dwarf.File {
	all := append([]*File{f}, f.attached...)
	from := f
	for i := len(all) - 1; i >= 0; i-- {
		if !all[i].supplement && all[i].has(".debug_info") {
			from = all[i]
		}
	}
	info := dwarf.Open(from.sections(""), dwarf.Options{
		BigEndian: f.h.order == binary.BigEndian, Base: from.base, Progress: f.opt.Progress, Waits: f.opt.Search, BeforeRead: f.opt.BeforeRead,
		Linkage: func(rel uint64, name string) string { return f.names().linkage(rel, name) },
	})
	for _, file := range all {
		if file.supplement {
			info.Supplement(file.sections(""))
		}
		if file.has(splitInfo) {
			info.AddSplit(file.sections(".dwo"))
		}
	}
	return info
}
