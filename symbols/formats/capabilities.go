package formats

import (
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
	"crashglass/symbols/formats/dwarf"
)

// Capabilities are what a Reader can do besides. A field is nil if the file's format lacks the
// capability. A format fills its fields where its files are opened.
type Capabilities struct {
	Image   symbolize.Image // the module's code
	Layout  symbolize.Layout
	Lister  Lister
	Unnamed UnnamedLister
	Search  Search

	Scopes       variables.Source
	CallSites    variables.CallSites
	Statics      variables.Statics
	RuntimeTypes variables.RuntimeTypes
	Languages    variables.Languages
	Classes      Classes
	Vtables      Vtables
	VtableWords  VtableWords

	// Links returns the files that the file names, and reports whether it may have parts.
	Links func() (Links, bool)

	// FinalNames says that other programs show the names unchanged, as the names of a .sym file,
	// which dump_syms demangles.
	FinalNames bool
}

// A Lister lists all records of a file.
type Lister interface {
	symbolize.Lister
	unwind.Lister
}

// An UnnamedLister lists the ranges of functions without names.
type UnnamedLister interface {
	EachUnnamed(add func(start, size uint64) error) error
}

// A Search answers queries without reading the whole file.
type Search interface {
	// Unanswered returns the number of open queries: those that need the whole file.
	Unanswered() int

	// Scan reads the whole file, and returns how many earlier answers it contradicts.
	Scan() (differ int, err error)
}

// Classes finds classes by their full names.
type Classes interface {
	Class(name string) *types.Type
}

// Vtables finds the vtable that contains an address.
type Vtables interface {
	// VtableAt returns the linkage name and the start of the vtable, "" for none.
	VtableAt(rel uint64) (linkage string, start uint64)
}

// VtableWords reads words of vtables from the file.
type VtableWords interface {
	VtableWord(rel uint64) (uint64, bool)
}

// withDWARF are the capabilities that a native file has by its DWARF.
func withDWARF(records Lister, info *dwarf.File) Capabilities {
	return Capabilities{
		Lister: records, Scopes: info, CallSites: info, Statics: info, RuntimeTypes: info, Languages: info, Classes: info,
	}
}
