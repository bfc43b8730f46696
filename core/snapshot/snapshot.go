// Package snapshot is what every reader of a crash yields and every report is
// made of: the captured process, and what its file says of itself.
//
// The process has the form of a minidump, because that is the form that most
// crashes have, that Crashglass writes, and whose streams its reports list. A
// reader of another format lays its facts out as streams (packages elfcore and microdump) and
// states the rest as an [Origin], so that nothing behind it asks what was read.
//
// The model is Crashpad's snapshot layer, between every reader and every
// writer: https://chromium.googlesource.com/crashpad/crashpad/+/HEAD/snapshot/.
package snapshot

import "crashglass/core/minidump"

// A Snapshot is one captured process.
type Snapshot struct {
	*minidump.File
	Origin Origin
}

// An Origin is what a file says of itself beyond the streams.
type Origin struct {
	Kind   string // how people call such a file. Nothing is decided by it
	Table  string // what lists its parts, "" for a directory of streams
	Size   int64  // of what was read, in bytes
	Need   int64  // up to where its parts reach, more than Size when it is truncated; 0 when the streams tell
	Writer string // what wrote it, "" when the streams tell
	System string // the version of the system in the file's own words, "" when it has none
	GPU    GPU
	Facts  []Fact
	Lacks  Lack

	// Detail is all of this in the reader's own type, for programs that show what
	// is there. It is nil where the streams and the fields above have everything.
	Detail any

	// KernelSignal says that the signal's code is the kernel's own, so that 0 is
	// SI_USER. Some writers of minidumps leave 0 because they know none.
	KernelSignal bool

	// Debugger is what had stopped the process and wrote the file, "" when none
	// had: a SIGTRAP is the debugger's then, unless a breakpoint instruction is
	// the program's own.
	Debugger string

	// Calls are the numbers of the system calls that threads are in, by the
	// thread's ID, where the file has them beside the registers.
	Calls map[uint32]uint64

	// Notes say what was damaged or odd, each a *bin.Error with an offset in the
	// file.
	Notes []error
}

// A GPU is the graphics driver as it names itself; "" when unknown.
type GPU struct{ Version, Vendor, Renderer string }

// A Fact is a value that no stream has room for.
type Fact struct{ Name, Value, Source string }

// Of is the snapshot of a minidump, which says everything in its streams.
func Of(f *minidump.File) *Snapshot {
	return &Snapshot{f, Origin{Kind: "minidump", Size: f.Size()}}
}
