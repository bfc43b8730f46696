package symbolize

import "crashglass/core/process/module"

// A Lister is a Source that can list everything, so that it can be written as a symbol file. A
// callback returns an error to end the listing, and the method returns that error. Damaged records
// are left out.
type Lister interface {
	// EachFunction calls add for each run of a function's code, in any order. The argument belongs
	// to the Lister and is valid until add returns.
	EachFunction(add func(*Function) error) error

	// EachPublic calls add for each linker symbol.
	EachPublic(add func(Public) error) error
}

// A Function is one run of code with its name, lines and inlined calls. A function with code in
// several places gives several of these.
type Function struct {
	Name      string
	Linkage   string // the linkage name of a copy or a part of Name ("f.cold"); "" otherwise
	Start     uint64 // relative to the module
	Size      uint64
	ParamSize uint32 // bytes of arguments on the stack, if the format has them
	Multiple  bool   // one of several functions that share this code (ICF)

	Lines   []Line       // disjoint, sorted by address, inside the function
	Inlines []InlineCall // a caller comes before the calls inlined into it
}

// A Line is the code of one source line; inside an inlined call it is a line of the innermost call.
type Line struct {
	Start, Size uint64
	File        string
	Line        uint32
}

// An InlineCall is a call that was inlined.
type InlineCall struct {
	Depth    int // 0 when it is inlined in the function itself
	Function string
	CallFile string // the place of the call
	CallLine uint32
	Ranges   []Range
}

// A Range is a run of addresses relative to the module.
type Range struct{ Start, Size uint64 }

// A Public is a symbol without an end.
type Public struct {
	Name      string
	Start     uint64
	ParamSize uint32
	Multiple  bool
	Stated    uint64 // the size that the symbol states, unchecked; 0 for none
}

// A Layout knows where the parts of a module's file are loaded.
type Layout interface {
	// Rel turns what a report counts in the module into an offset from its base. It reports false
	// if no part of the file is there.
	Rel(kind module.Offsets, at uint64) (uint64, bool)
}

// A Search is a Source that leaves some queries open until its file is read to the end. All answers
// that it gives are final.
type Search interface {
	// Unanswered returns the number of open queries.
	Unanswered() int
}

// An Image is the code of a module, to fill gaps in a dump's memory.
type Image interface {
	// ReadImage copies bytes at rel from read-only segments, which the program cannot have changed.
	// It returns the number of bytes up to the first gap.
	ReadImage(rel uint64, p []byte) int

	// ReadLoaded is ReadImage with what a loader changes where it puts the module at base, as far as the file tells: addresses in
	// code by the base relocations of PE.
	ReadLoaded(base, rel uint64, p []byte) int

	// CodeParts returns the parts with machine code that a process has as the file has it, where ReadImage does not leave
	// something out. It is nil for a file whose code loaders, or the program itself, may change in further places.
	CodeParts() []Range
}
