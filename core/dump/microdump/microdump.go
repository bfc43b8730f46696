// Package microdump reads microdumps: crashes as lines of a log. Breakpad's client writes one if it
// cannot leave a file behind, mostly on Android. A microdump has one thread, with its registers and
// up to 32 KiB of its stack, and a list of modules.
//
// [OpenAll] fills a [process.Process] for each microdump. Logs lose and mix lines: a missing or
// damaged line costs its own facts and becomes a note with its offset in the log. The package does not
// read other parts of a log.
//
// Read tag.go first, then scan.go, record.go and fill.go, which is the order of the data.
//
// Source: Breakpad, src/client/linux/microdump_writer/microdump_writer.cc
// writes it, src/processor/microdump.cc reads it.
package microdump

import (
	"io"

	"crashglass/core/base/bin"
	"crashglass/core/dump/log"
	"crashglass/core/process"
)

// A Microdump has the facts of a microdump beside its thread and modules. Offsets count in the log.
type Microdump struct {
	Offset, Size int64  // in the log: from the first line to the end of the last
	Logged       string // the text before the first line: time, process, tag

	Product     string // "AndroidWebView:62.0.3188.0", "" when unknown
	ProcessType string // "webview", "" when unknown
	Build       string // of the system: Android's fingerprint, or release and version of uname
	Machine     string // as uname names it: "aarch64" also for a 32-bit process
	GPU         process.GPU

	// Signal is the name of the signal that killed the process, "" in microdumps of old clients
	// (Chrome 49). The exception stream has its number, and never an si_code.
	Signal string

	// Space is nil in 64-bit processes, whose address space does not run out.
	Space *FreeSpace

	// Notes are the defects, each a *bin.Error.
	Notes []error
}

// FreeSpace describes the free address space between mappings.
type FreeSpace struct {
	Low, High uint64 // end of the first mapping, start of the stack
	Holes     uint64
	Largest   uint64 // bytes
	Total     uint64
}

// OpenAll opens each microdump of a log, in the order in which they begin. It
// reports false for a file that cannot be a log, and for a log without any.
//
// A log is read whole, in one pass. Other lines may stand before, between and
// after those of a microdump, and several microdumps may be written at once.
func OpenAll(src bin.Source) (out []*process.Process, found bool, err error) {
	encoding, isLog := log.Sniff(src)
	if !isLog {
		return nil, false, nil
	}
	all, err := scanLog(log.NewReader(src, encoding))
	if err != nil {
		return nil, true, err
	}
	for _, m := range all {
		p := m.process()
		part := bin.NewSource(io.NewSectionReader(src, m.Offset, m.Size), m.Size)
		p.Hash, err = process.Digest(part)
		p.Note(err)
		out = append(out, p)
	}
	return out, len(out) > 0, nil
}
