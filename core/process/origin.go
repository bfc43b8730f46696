package process

// An Origin has the facts of the file itself.
type Origin struct {
	Kind  string // the kind of file, for people; no code depends on it
	Table string // the name of its table of parts, "" for a directory of streams
	Size  int64  // of the file, in bytes
	Need  int64  // the end of its last part, which exceeds Size when it is truncated; 0 when unknown
	GPU   GPU

	// Detail is the file in the reader's own type, for programs that show all contents. It is nil if
	// the process has everything.
	Detail any

	// KernelSignal says that the kernel set the signal's code, so that 0 is SI_USER. Some writers
	// of minidumps leave 0 because they do not know the code.
	KernelSignal bool

	// Debugger is the debugger that stopped the process and wrote the file, "" if there was none. A
	// SIGTRAP then comes from the debugger, unless the program has a breakpoint instruction there.
	Debugger string
}

// A GPU is the graphics driver as it names itself; "" when unknown.
type GPU struct{ Version, Vendor, Renderer string }
