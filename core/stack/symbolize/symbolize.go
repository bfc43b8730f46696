// Package symbolize is the interface between symbol readers and the analysis: the function, the
// source line and the inlined calls of an address.
//
// It reads nothing itself. The readers below symbols/ implement [Source]: they answer for any
// address, do not panic, and leave out what is damaged. Names are copied from the file and may
// contain anything. It does not include unwind rules, for which package unwind declares an
// interface. Read this file first, then lister.go and certainty.go.
package symbolize

// A Source knows the names of one module. Addresses are relative to the
// module's base. Implementations answer for any address and do not panic.
type Source interface {
	// Locate names the function, the line and the inlined calls at rel. It reports false for an
	// unknown address.
	Locate(rel uint64) (Location, bool)
}

// A Location is the answer of symbols for one address.
type Location struct {
	Function string
	Linkage  string // the linkage name, if Function was made from it; "" otherwise
	Readable string // the demangled name, if Function is a linkage name; "" otherwise
	Clone    string // the compiler's suffix for a part or a copy of Function, ".isra.0"; "" otherwise
	Start    uint64 // first address of the function, relative to the module
	Size     uint64 // of the function in bytes; 0 when unknown (public symbols)
	Public   bool   // a linker symbol: the nearest one below. Certainty says whether the address belongs to it
	Stated   uint64 // the size that a linker symbol states, unchecked; 0 for none
	Multiple bool   // several functions share this code (the `m` of a .sym)

	File      string // of the physical function at this address; "" when unknown
	Line      uint32 // 0 when unknown
	LineStart uint64 // first address of the line's code; meaningful when Line or File is known

	// Inlines are the calls inlined at this address, innermost first. File and Line of each are the
	// position within it. File and Line of the Location are then the call site of the outermost
	// one.
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
