package minidump

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
)

// maxStream bounds the bytes that are read of one stream at once. The longest real streams are
// lists of memory ranges with 16 bytes each. Captured memory is not read as a stream.
const maxStream = 32 << 20

// A Stream is one entry of the directory.
type Stream struct {
	Type StreamType
	Location
}

// readDirectory reads the entries that are in the file.
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_directory
func (f *File) readDirectory() error {
	at, want := int64(f.header.Directory), uint64(f.header.Streams)
	if want == 0 {
		return nil
	}
	data, err := f.src.ReadUpTo("directory", at, min(want*format.DirectorySize, maxStream))
	if err != nil {
		return err
	}
	n := len(data) / format.DirectorySize
	if uint64(n) < want {
		short := &bin.Error{What: "directory", Off: 8, Why: fmt.Sprintf("count %d exceeds the %d entries that fit in the file", want, n)}
		if n == 0 {
			return short
		}
		f.damage.add(short)
	}
	c := bin.NewOrderedCursor("directory", at, data, f.order)
	f.streams = make([]Stream, 0, n)
	for range n {
		f.streams = append(f.streams, Stream{StreamType(c.U32()), location(c)})
	}
	f.pick()
	return nil
}

// pick chooses one entry for each type: the last one whose bytes are all in the file, or else the
// last one. rust-minidump uses the last; Breakpad refuses a file that lists a stream twice.
func (f *File) pick() {
	f.used = map[StreamType]int{}
	for i, s := range f.streams {
		before, again := f.used[s.Type]
		if !again || f.isComplete(s) || !f.isComplete(f.streams[before]) {
			f.used[s.Type] = i
		}
	}
}

// isComplete reports whether a stream has bytes, all of which are in the file.
func (f *File) isComplete(s Stream) bool { return s.Size > 0 && f.src.Has(offset(s.RVA), s.Size) }

// Streams returns the directory, including duplicate, unknown and unused entries.
func (f *File) Streams() []Stream { return f.streams }

// Has reports whether the directory lists a stream.
func (f *File) Has(t StreamType) bool {
	_, ok := f.find(t)
	return ok
}

// Used returns the entry of the directory that is read for a type: a damaged file may list a type a
// thousand times.
func (f *File) Used(t StreamType) (index int, ok bool) {
	index, ok = f.used[t]
	return index, ok
}

func (f *File) find(t StreamType) (Stream, bool) {
	if i, ok := f.used[t]; ok {
		return f.streams[i], true
	}
	return Stream{}, false
}

// Stream returns the bytes of a stream. If the file ends before the stream, it returns the bytes up
// to there, and an error.
func (f *File) Stream(t StreamType) ([]byte, error) {
	s, err := f.section(t)
	if err != nil {
		return nil, err
	}
	s.Names("text")
	return s.Bytes(s.Len()), s.err()
}

// Bytes returns the bytes at a location. If the file ends before, it returns the bytes up to there,
// and an error. What names them in the error.
func (f *File) Bytes(what string, loc Location) ([]byte, error) {
	s := f.sectionAt(what, loc)
	return s.Bytes(s.Len()), s.err()
}
