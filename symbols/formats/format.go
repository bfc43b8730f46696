package formats

import (
	"crashglass/core/bin"
	"crashglass/core/bug"
	"crashglass/symbols/sniff"
)

// A Format is a kind of file that answers for modules.
type Format struct {
	// Identifies reads as little as it can: which modules a file is for.
	Identifies func(src bin.Source) ([]Build, error)

	// Opens opens the part of the file that is for a Build, one of those that
	// Identifies returned.
	Opens func(src bin.Source, b Build, opt Options) (Reader, error)

	// ByHead says that the beginning of a file is enough to identify it.
	ByHead bool

	// System is the word of MODULE records for the system that files are for,
	// as dump_syms has it.
	System string

	Traits
}

// Traits are what a store has to do otherwise for files of a format.
type Traits struct {
	Whole      bool // one file says all of its module, and a second one no more
	NamesDebug bool // a library has no name in it, and says which debug file is its own
	HasParts   bool // parts are in files of the same format, found by build id, or by name and checksum
	HasSlices  bool // one file is for several kinds of one CPU
	HidesNames bool // names may be hidden, and a map has them
	InLayouts  bool // symbol stores keep it under the names of package layout
}

// Options are what a Format is told about the file that it opens.
type Options struct {
	Name     string // of the file, as reports have it
	Progress func(done, total int64) error
	Cache    Cache

	// Ask is the size of the smallest Breakpad file that is asked and not
	// scanned, or 0, and AskPage how much of it is read at once: see
	// breakpad.Options.
	Ask, AskPage int64

	// HiddenNames has what undoes the hidden names of a Mach-O file, by its
	// UUID, or nil.
	HiddenNames func(uuid string) *HiddenNames
}

// A Table has the Format of each kind of file.
type Table map[sniff.Kind]Format

// All is every Format that there is.
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

// InLayouts is the kind of files that symbol stores keep under the names of
// package layout.
func (t Table) InLayouts() sniff.Kind {
	for kind, f := range t {
		if f.InLayouts {
			return kind
		}
	}
	return sniff.Unknown
}

// Identify says which modules a file is for. A bug in a reader is an error.
func (t Table) Identify(k sniff.Kind, src bin.Source) (out []Build, err error) {
	defer bug.Catch(&err)
	return t[k].Identifies(src)
}

// Open opens the part of a file that is for a Build, one of those that Identify
// returned. A bug in a reader is an error.
func (t Table) Open(k sniff.Kind, src bin.Source, b Build, opt Options) (r Reader, err error) {
	defer bug.Catch(&err)
	return t[k].Opens(src, b, opt)
}
