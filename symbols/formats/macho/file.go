// Package macho reads Mach-O files: programs, libraries and bundles of macOS and iOS, and the debug
// file in a .dSYM bundle.
//
//	files, err := macho.OpenAll(src, macho.Options{}) // one for each CPU
//	f := files[0]
//	f.Module().DebugID // the UUID as Breakpad spells it
//	f.Locate(rel)      // function, file and line, inlined calls
//	f.CallFrame(rel)   // from __unwind_info, __eh_frame and the code itself
//
// A program and its dSYM are two files with different information. Package symbols uses both. Without a dSYM, the DWARF is
// in the object files, which Attach joins by the program's debug map (debugmap.go). Functions of Go have names, lines and rules by
// Go's table.
//
// Opening a file reads its load commands. Everything else is read on demand. Damage costs only the
// damaged part: a section that reaches beyond the file counts as absent, a contradictory page of
// __unwind_info has no rules, and a note says so.
//
// Compact unwinding (__unwind_info) describes a function's body, but not its prolog and epilog. If
// the code is available, it is decoded for these: which registers are pushed so far, which are
// still to be popped. A return address may be signed (arm64e); rules return it as it is on the
// stack, and the walk removes the signature.
//
// Addresses are relative to the __TEXT segment. Names of C and C++ lose the
// underscore that Mach-O has in front of them, as DWARF and dump_syms spell
// them. Core files and object files without DWARF are refused.
//
// Read file.go first, then header.go and commands.go; symbols.go, exports.go and symbolmap.go read names,
// debuginfo.go and gotable.go open packages dwarf and gopclntab, locate.go queries them, and compact.go with intel.go and arm.go makes rules from compact unwinding.
//
// Layouts: Apple's mach-o/loader.h, mach-o/fat.h, mach-o/nlist.h and
// mach-o/compact_unwind_encoding.h. This package does not bind, rebase or
// look for other files, and does not read dyld's shared cache.
package macho

import (
	"fmt"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/archives/decompress"
	"crashglass/symbols/formats/dwarf"
	"crashglass/symbols/formats/gopclntab"
	"crashglass/symbols/tables/cfi"
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

	// SymbolMap, if any, has the names that Apple hid.
	SymbolMap *SymbolMap
}

// A File is an open Mach-O file, or one slice of a fat one. It may be used from
// several goroutines at once.
type File struct {
	unwind.NoWinFrames
	src      bin.Source // all of the file
	at, size int64      // where the slice is in it
	opt      Options
	h        header

	segs      []segment
	sects     []section
	base      uint64 // address of __TEXT
	span      uint64 // of __TEXT
	uuid      []byte
	dylib     string
	symtab    symtabPlace
	starts    byteRange
	exports   byteRange
	encrypted byteRange

	mapped  []mapped // functions of objects, by their addresses in the module
	objects []*File  // with DWARF of the module
	absent  []string // names of object files that were not attached

	notes    bin.Notes
	unpacked *decompress.Sections

	// Read on demand.
	names     func() *symbols
	named     func() map[string]uint64
	functions func() []uint64
	compact   func() *compact
	frames    func() *cfi.Table
	info      func() *dwarf.File
	golang    func() *gopclntab.Table
}

// open reads one slice. It fails if the header is none of Mach-O, or without __TEXT, because addresses of
// the module count from there, and for object files without DWARF. Other damage is noted.
func open(src bin.Source, s slice, opt Options) (*File, error) {
	h, err := parseHeader(src, s.off)
	if err != nil {
		return nil, err
	}
	f := &File{src: src, at: s.off, size: s.size, opt: opt, h: h}
	f.unpacked = decompress.NewSections(s.size, f.note)
	f.readCommands()
	if f.IsObject() {
		if f.find("__debug_info") == nil {
			return nil, fmt.Errorf("macho: header at %#x: a file of type %d is no module", s.off, h.kind)
		}
	} else if !f.place() {
		return nil, fmt.Errorf("macho: header at %#x: no load command says where __TEXT is", s.off)
	}
	f.prepare()
	return f, nil
}

// place finds the segment that the header is in, which the module begins with.
func (f *File) place() bool {
	for _, s := range f.segs {
		if s.name == "__TEXT" {
			f.base, f.span = s.addr, s.size
			return true
		}
	}
	return false
}

// prepare prepares everything else to be read on demand.
func (f *File) prepare() {
	f.names = sync.OnceValue(f.readSymbols)
	f.named = sync.OnceValue(f.readNamed)
	f.functions = sync.OnceValue(f.readStarts)
	f.compact = sync.OnceValue(f.readCompact)
	f.frames = sync.OnceValue(f.openFrames)
	f.info = sync.OnceValue(f.openDebugInfo)
	f.golang = sync.OnceValue(f.openGo)
}

// note takes down damage. Each sentence is kept once.
func (f *File) note(format string, args ...any) { f.notes.Add(fmt.Sprintf(format, args...)) }

// Notes lists the damage. Most of a file is read on demand, so the list may grow.
func (f *File) Notes() []string {
	out, _ := f.notes.List()
	if t := f.frames(); t != nil {
		out = append(out, t.Notes()...)
	}
	for _, o := range f.objects {
		out = append(out, o.Notes()...)
	}
	return append(append(out, f.golang().Notes()...), f.info().Notes()...)
}
