package symbols

import (
	"crashglass/core/bin"
	"crashglass/core/module"
	"crashglass/symbols/macho"
)

// A build is what a file says of the module that it is for. All of it may be
// empty.
type build struct {
	ID       string // debug id
	Name     string // of the debug file, without folders
	CodeID   string
	CodeFile string
	Arch     string // as the format names it

	// split says that this is a part of somebody's DWARF, a .dwo or .dwp,
	// which is of no use alone and says nothing of the module.
	split bool
}

func buildOf(m module.Module) build {
	return build{ID: m.DebugID, Name: module.Basename(m.DebugFile), CodeID: m.CodeID, CodeFile: m.Name(), Arch: m.Arch}
}

// A reader is an open file of any format that answers for one module.
type reader interface {
	Source
	contents() contents
}

// contents is what a file brings.
type contents struct {
	has
	bytes   int64
	remarks []string // what is odd about it, to follow its name
	limit   string   // what it lacks by its nature, to follow its name
}

// has is what there is in a file, or in several.
type has struct {
	functions bool // names with an end
	publics   bool // names without one
	lines     bool
	inlines   bool
	variables bool // arguments and locals, as far as it was compiled with them
	frames    bool // rules for unwinding
	code      bool // the module's code: the file is the module itself
}

func (h has) named() bool { return h.functions || h.publics }

// with is what two files have. A symbol without an end says nothing where all
// functions are known.
func (h has) with(o has) has {
	h.functions = h.functions || o.functions
	h.publics = h.functions || h.publics || o.publics
	h.lines = h.lines || o.lines
	h.inlines = h.inlines || o.inlines
	h.variables = h.variables || o.variables
	h.frames = h.frames || o.frames
	h.code = h.code || o.code
	return h
}

// A format is a kind of file that answers for modules.
type format struct {
	// identify reads as little as it can.
	identify func(src bin.Source) ([]build, error)

	// open opens the part of the file that is for a build, one of those that
	// identify returned.
	open func(src bin.Source, b build, opt openOptions) (reader, error)
}

type openOptions struct {
	name     string // of the file, as reports have it
	progress func(done, total int64) error
	cache    Cache

	symbolMap   func(uuid string) *macho.SymbolMap
	hiddenNames *macho.SymbolMap // what symbolMap has for the file
}

// formats are the kinds of files that answer for modules.
var formats = map[Kind]format{
	Breakpad: {identifyBreakpad, openBreakpad},
}
