package symbolize

// A Lister is a Source that can tell everything it knows, so that it can be
// written as a symbol file. The functions that it is given return an error to
// end the listing, which is then returned. What is damaged is left out.
type Lister interface {
	// EachFunction calls add for each run of a function's code, in any order.
	// What add is given belongs to the Lister and is valid until add returns.
	EachFunction(add func(*Function) error) error

	// EachPublic calls add for each symbol that a linker would see.
	EachPublic(add func(Public) error) error
}

// A Function is one run of code with all that is known of it. A function
// whose code lies in several places is several of these.
type Function struct {
	Name      string
	Start     uint64 // relative to the module
	Size      uint64
	ParamSize uint32 // bytes of arguments on the stack, where the format says so
	Multiple  bool   // several functions share this code, of which this is one

	Lines   []Line       // disjoint, in the order of addresses, inside the function
	Inlines []InlineCall // a caller before what is inlined in it
}

// A Line is the code of one source line: of the innermost inlined call there.
type Line struct {
	Start, Size uint64
	File        string
	Line        uint32
}

// An InlineCall is a call that was inlined.
type InlineCall struct {
	Depth    int // 0 when it is inlined in the function itself
	Function string
	CallFile string // where it was called
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
	Stated    uint64 // its size where the symbol states one, which nothing checks
}

// An Image is the code of a module, to fill gaps in a dump's memory.
type Image interface {
	// ReadImage copies the bytes at rel that the program cannot have changed,
	// those of read-only segments, and returns how many in one run there are.
	ReadImage(rel uint64, p []byte) int
}
