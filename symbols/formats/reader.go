package formats

import (
	"crashglass/core/process/module"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
	"crashglass/symbols/formats/dwarf"
)

// A Source is the interface to the symbols of a file.
type Source = interface {
	symbolize.Source
	unwind.Rules
}

// A Reader is an open file of any format, for one module.
type Reader interface {
	Source
	Contents() Contents
	Capabilities() *Capabilities
}

// A Build identifies the module of a file. Every field may be empty.
type Build struct {
	ID       string // debug id
	Name     string // of the debug file, without folders
	CodeID   string
	CodeFile string
	Arch     string // as the format names it

	// Split says that this is a part of another file's DWARF, a .dwo or .dwp, which is useless
	// alone and does not name the module.
	Split bool
}

func buildOf(m module.Module) Build {
	return Build{ID: m.DebugID, Name: module.Basename(m.DebugFile), CodeID: m.CodeID, CodeFile: m.Name(), Arch: m.Arch}
}

// Contents lists what a file has.
type Contents struct {
	Has
	Bytes   int64
	Remarks []string // what is odd about it, to follow its name
	Limit   string   // what it lacks by its nature, to follow its name
	Missing []string // parts of it that other files have, to follow its name
	Split   []string // of those, the first files of split DWARF
	Damage  []string // each defect that was met by now
	Odd     *Odd     // of a file in lines: those that are left out, nil without any
}

// Odd is the damage of a text file.
type Odd struct {
	Line    int64 // the first, counted from 1; 0 when it is not known
	Records int   // how many are left out
	Cut     bool  // the last line has no end
}

// Has says which kinds of symbols a file has, or several files have.
type Has struct {
	Functions bool // names with an end
	Publics   bool // names without one
	Lines     bool
	Inlines   bool
	Variables bool // arguments and locals, as far as it was compiled with them
	Frames    bool // rules for unwinding
	Code      bool // the module's code: the file is the module itself
}

// Named reports whether there are names at all.
func (h Has) Named() bool { return h.Functions || h.Publics }

// With merges the contents of two files. Public symbols do not count if all functions are known.
func (h Has) With(o Has) Has {
	h.Functions = h.Functions || o.Functions
	h.Publics = h.Functions || h.Publics || o.Publics
	h.Lines = h.Lines || o.Lines
	h.Inlines = h.Inlines || o.Inlines
	h.Variables = h.Variables || o.Variables
	h.Frames = h.Frames || o.Frames
	h.Code = h.Code || o.Code
	return h
}

// Richness is the level of detail of functions, as a number to compare.
func (h Has) Richness() (n int) {
	for i, has := range []bool{h.Inlines, h.Lines, h.Functions} {
		if has {
			n |= 1 << i
		}
	}
	return n
}

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
	Data         Data
	DataNames    DataNames
	VtableWords  VtableWords
	Sums         Sums

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
	symbolize.Search

	// Scan reads the whole file, and returns how many earlier answers it contradicts.
	Scan() (differ int, err error)
}

// Classes finds classes by their full names.
type Classes interface {
	Class(name string) *types.Type

	// TypeNamed is Class for types of any kind.
	TypeNamed(name string) *types.Type
}

// Data finds the data that contains an address: a variable, a vtable.
type Data interface {
	// DataAt returns the linkage name and the start of the data, "" for none.
	DataAt(rel uint64) (linkage string, start uint64)
}

// DataNames finds data by its linkage name.
type DataNames interface {
	// EachData calls each for the data whose names begin with prefix, in any order.
	EachData(prefix string, each func(name string, rel uint64))
}

// Sums has checksums of source files.
type Sums interface {
	// SourceSum returns the checksum of a source file of the code at an address: "MD5", "SHA1" or "SHA256", and its bytes; "" for none.
	SourceSum(rel uint64, file string) (algorithm string, sum []byte)
}

// VtableWords reads words of vtables from the file.
type VtableWords interface {
	VtableWord(rel uint64) (uint64, bool)
}

// withDWARF are the capabilities that a native file has by its DWARF.
func withDWARF(records Lister, info *dwarf.File) Capabilities {
	return Capabilities{
		Lister: records, Scopes: info, CallSites: info, Statics: info, RuntimeTypes: info, Languages: info, Classes: info, Sums: info,
	}
}
