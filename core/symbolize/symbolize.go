// Package symbolize names addresses: which function, which source line, and
// which calls the compiler inlined there.
//
// It reads nothing itself. A [Source] is what a reader of symbol files looks
// like from here; the readers live below symbols/. Names are passed through as
// they are in the file and may contain anything.
package symbolize

// A Source knows the names of one module. Addresses are relative to the
// module's base. Implementations answer for any address and do not panic.
type Source interface {
	// Locate names the function, the line and the inlined calls at rel.
	// It reports false when it knows nothing of that address.
	Locate(rel uint64) (Location, bool)
}

// A Location is what symbols know of one address.
type Location struct {
	Function string
	Linkage  string // the name as linkers have it, where Function was made of it; "" otherwise
	Readable string // what Function means, where it is a linker's name; "" otherwise
	Clone    string // what the compiler appended to the name of a part or a copy of Function, ".isra.0"; "" otherwise
	Start    uint64 // first address of the function, relative to the module
	Size     uint64 // of the function in bytes; 0 when unknown (public symbols)
	Public   bool   // a linker symbol: the nearest one below, so it may be wrong
	Multiple bool   // several functions share this code (the `m` of a .sym)

	File      string // of the physical function at this address; "" when unknown
	Line      uint32 // 0 when unknown
	LineStart uint64 // first address of the line's code; meaningful when Line or File is known

	// Inlines are the calls inlined at this address, innermost first. File and
	// Line of each say where execution is within it; File and Line of the
	// Location then say where the outermost of them was called.
	Inlines []Inline
}

// An Inline is one inlined call.
type Inline struct {
	Function string // "" when the origin is unknown
	Linkage  string // as in Location
	Readable string // as in Location
	File     string
	Line     uint32
}
