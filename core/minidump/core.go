package minidump

import "crashglass/core/bin"

// A Core is what a core file says beyond the streams of a minidump. Package
// elfcore lays a core out as a minidump, so that what reads a [File] reads
// both. Offsets in Notes are those of the core.
type Core struct {
	Kind   string // "ELF core"
	Size   int64  // of the core in bytes
	Need   int64  // up to where its parts reach: more than Size when it is truncated
	Writer string // what wrote it, "" when that is unknown
	Facts  []KeyValue

	// Notes say what was damaged or odd, each a *bin.Error.
	Notes []error
}

// OpenCore opens a core that is laid out as a minidump.
func OpenCore(src bin.Source, c *Core) (*File, error) {
	f, err := Open(src)
	if err != nil {
		return nil, err
	}
	f.core = c
	return f, nil
}

// Core is what the file was made of, or nil for a minidump.
func (f *File) Core() *Core { return f.core }
