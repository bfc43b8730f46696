package minidump

import (
	"crashglass/core/bin"
)

// A Microdump is what a microdump says beyond the streams of a minidump.
//
// A microdump is a crash as lines of a log: Breakpad's client writes one where
// it cannot leave a file behind, on Android above all. It has one thread, with
// its registers and up to 32 KiB of its stack, and a list of modules.
//
// [OpenAll] turns each one into a minidump in memory, so that whoever reads a
// [File] reads both. The streams' places in that file are nobody's business:
// offsets here and in Notes are the log's.
//
// Source: Breakpad, src/client/linux/microdump_writer/microdump_writer.cc
// writes it, src/processor/microdump.cc reads it.
type Microdump struct {
	Offset, Size int64  // in the log: from the first line to the end of the last
	Logged       string // what stands before the first line: time, process, tag

	Product     string // "AndroidWebView:62.0.3188.0", "" when unknown
	ProcessType string // "webview", "" when unknown
	Build       string // of the system: Android's fingerprint, or what uname calls release and version
	Machine     string // what uname calls it: "aarch64" also for a 32-bit process
	GPU         GPU

	// Signal is the name of what killed the process, "" in microdumps of old
	// clients (Chrome 49), which do not say. The exception stream has its
	// number, and never an si_code.
	Signal string

	// Space is nil in 64-bit processes, which do not run out of it.
	Space *FreeSpace

	// Notes say what was damaged or odd, each a *bin.Error.
	Notes []error
}

// A GPU is the graphics driver as it names itself; "" when unknown.
type GPU struct{ Version, Vendor, Renderer string }

// FreeSpace is how full the address space was: what lies between its mappings.
type FreeSpace struct {
	Low, High uint64 // end of the first mapping, start of the stack
	Holes     uint64
	Largest   uint64 // bytes
	Total     uint64
}

// Microdump is what the file was made of, or nil for a minidump.
func (f *File) Microdump() *Microdump { return f.micro }

// OpenAll opens every dump of a file: the one of a minidump, or each microdump
// of a log, in the order in which they begin. It fails when there is none.
//
// A log is read whole, in one pass. Other lines may stand before, between and
// after those of a microdump, and several microdumps may be written at once.
func OpenAll(src bin.Source) ([]*File, error) {
	f, err := Open(src)
	if err == nil {
		return []*File{f}, nil
	}
	encoding, isLog := sniffLog(src)
	if !isLog {
		return nil, err
	}
	micros, logErr := scanLog(newLogReader(src, encoding))
	if logErr != nil {
		return nil, logErr
	}
	var files []*File
	for _, m := range micros {
		f, err := m.file()
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, err
	}
	return files, nil
}
