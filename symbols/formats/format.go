// Package formats is the table of symbol file formats for the store of package symbols: a [Table]
// with one [Format] for each kind of file.
//
//	builds, err := formats.All.Identify(sniff.ELF, src) // which modules it is for
//	r, err := formats.All.Open(sniff.ELF, src, builds[0], formats.Options{})
//	r.Contents() // what it brings
//
// Each format is a package of its own; this one gives them one interface. A damaged file opens as
// far as it can be read, and its Contents list the damage. The package does not search for files
// and does not match them to modules. Read reader.go first, then format.go. native.go and
// breakpad.go are the two kinds of formats; split.go and hidden.go join files of one
// module.
package formats

import (
	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/symbols/formats/sniff"
)

// A Format is a kind of symbol file.
type Format struct {
	// Identifies returns the modules of a file, and reads as little as possible.
	Identifies func(src bin.Source) ([]Build, error)

	// Opens opens the part of the file that is for a Build, one of those that
	// Identifies returned.
	Opens func(src bin.Source, b Build, opt Options) (Reader, error)

	// ByHead says that the beginning of a file suffices to identify it.
	ByHead bool

	// System is the word of MODULE records for the system that files are for,
	// as dump_syms has it.
	System string

	Traits
}

// Traits are the peculiarities of a format that a store has to handle.
type Traits struct {
	Whole      bool // one file has all symbols of its module, and a second one adds none
	NamesDebug bool // a library has no names, and names its debug file
	HasParts   bool // parts are in files of the same format, found by build id, or by name and checksum
	HasSlices  bool // one file is for several kinds of one CPU
	HidesNames bool // names may be hidden, and a map has them
	InLayouts  bool // symbol stores keep it under the names of package layout
}

// Options are the options of opening a file.
type Options struct {
	Name     string // of the file, as reports have it
	Progress func(done, total int64) error
	Cache    Cache

	// SearchFrom is the size from which on a file is searched and not read as a whole, or 0; SearchPage is
	// the size of a read in a Breakpad file: see breakpad.Options.
	SearchFrom, SearchPage int64

	// BeforeRead, if any, is called before and during a long read of a searched native file: see
	// dwarf.Options.
	BeforeRead func(done int64) error

	// BeforeScan, if any, is called instead of Cache before a searched Breakpad file is scanned. If it
	// returns an error, there is no scan, and the query stays open.
	BeforeScan func() error

	// HiddenNames returns the map of a Mach-O file's hidden names, by its UUID, or nil.
	HiddenNames func(uuid string) *HiddenNames
}

func (opt Options) searches(src bin.Source) bool {
	return opt.SearchFrom > 0 && src.Size() >= opt.SearchFrom
}

// A Table has the Format of each kind of file.
type Table map[sniff.Kind]Format

// All has every Format.
var All = Table{
	sniff.Breakpad: {Identifies: identifyBreakpad, Opens: openBreakpad, ByHead: true, Traits: Traits{Whole: true, InLayouts: true}},
	sniff.PDB:      nativeFormat(openPDB, "windows", Traits{}),
	sniff.PE:       nativeFormat(openPE, "windows", Traits{NamesDebug: true}),
	sniff.ELF:      nativeFormat(openELF, "Linux", Traits{HasParts: true}),
	sniff.MachO:    nativeFormat(openMachO, "mac", Traits{HasSlices: true, HidesNames: true}),
}

// Has reports whether files of a kind answer for modules.
func (t Table) Has(k sniff.Kind) bool { return t[k].Opens != nil }

// Native reports whether a file of a kind answers for a module and has to be
// opened to know for which.
func (t Table) Native(k sniff.Kind) bool { return t.Has(k) && !t[k].ByHead }

// InLayouts is the kind of file that symbol stores keep at the paths of package layout.
func (t Table) InLayouts() sniff.Kind {
	for kind, f := range t {
		if f.InLayouts {
			return kind
		}
	}
	return sniff.Unknown
}

// Identify returns the modules of a file. A panic of a reader becomes an error.
func (t Table) Identify(k sniff.Kind, src bin.Source) (out []Build, err error) {
	defer bug.Catch(&err)
	return t[k].Identifies(src)
}

// Open opens the part of a file that is for a Build, one of those that Identify returned. A panic
// of a reader becomes an error.
func (t Table) Open(k sniff.Kind, src bin.Source, b Build, opt Options) (r Reader, err error) {
	defer bug.Catch(&err)
	return t[k].Opens(src, b, opt)
}
