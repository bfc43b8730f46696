// Package snapshot is the layer between the readers of crash files and the analysis: the captured
// process, and the facts of its file.
//
// The process has the form of a minidump, because most crashes have it, Crashglass writes it, and
// reports list its streams. A reader of another format lays its facts out as streams (packages
// elfcore and microdump) and states the rest as an [Origin]. So no later package asks for the kind
// of file. Damage is in the Origin's notes, or in the streams themselves. The package reads nothing
// itself; read this file first, then lack.go.
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

// An Origin has the facts of a file that are not in the streams.
type Origin struct {
	Kind   string // the kind of file, for people; no code depends on it
	Table  string // the name of its table of parts, "" for a directory of streams
	Size   int64  // of the file, in bytes
	Need   int64  // the end of its last part, which exceeds Size when it is truncated; 0 when the streams have it
	Writer string // the program that wrote it, "" when the streams show it
	System string // the version of the system in the file's own words, "" when it has none
	GPU    GPU
	Facts  []Fact
	Lacks  Lack

	// Detail is all of this in the reader's own type, for programs that show all contents. It is
	// nil if the streams and the fields above have everything.
	Detail any

	// KernelSignal says that the kernel set the signal's code, so that 0 is SI_USER. Some writers
	// of minidumps leave 0 because they do not know the code.
	KernelSignal bool

	// Debugger is the debugger that stopped the process and wrote the file, "" if there was none. A
	// SIGTRAP then comes from the debugger, unless the program has a breakpoint instruction there.
	Debugger string

	// Calls has the numbers of the threads' system calls by thread ID, if the file has them with
	// the registers.
	Calls map[uint32]uint64

	// Notes are the defects, each a *bin.Error with an offset in the file.
	Notes []error
}

// A GPU is the graphics driver as it names itself; "" when unknown.
type GPU struct{ Version, Vendor, Renderer string }

// A Fact is a value without a stream.
type Fact struct{ Name, Value, Source string }

// Of returns the snapshot of a minidump, which has everything in its streams.
func Of(f *minidump.File) *Snapshot {
	return &Snapshot{f, Origin{Kind: "minidump", Size: f.Size()}}
}
