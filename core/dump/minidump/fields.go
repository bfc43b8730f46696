package minidump

import (
	"fmt"

	"crashglass/core/base/bin"
)

// A Layout is the meaning of a stream's bytes, recorded while its reader read them.
type Layout struct {
	Fields []bin.Field // includes fields outside of the stream that it points to; in the order of reading
	Cut    bool        // there are more fields than were kept
}

// Fields reads the stream at an index of the directory as [File.Decode] does, and returns each
// field that the reader read. A field has the name in the header or program that defines the
// format. A stream without a reader has no fields, and a damaged one has those before the damage.
// The error is the reader's.
func (f *File) Fields(index int) (Layout, error) {
	if index < 0 || index >= len(f.streams) {
		return Layout{}, ErrNoStream
	}
	g := *f
	g.trace, g.traced = &bin.Trace{}, f.streams[index].Type
	g.streams = nil
	for i, s := range f.streams { // of two streams of a type, this one
		if i == index || s.Type != g.traced {
			g.streams = append(g.streams, s)
		}
	}
	g.pick()
	_, err := g.Decode(g.traced)
	fields, cut := g.trace.Fields()
	return Layout{fields, cut}, err
}

// cursor makes a cursor that is traced when the file is.
func (f *File) cursor(what string, at int64, data []byte) *bin.Cursor {
	return bin.NewOrderedCursor(what, at, data, f.order).Traced(f.trace)
}

// tracing returns the file for the reader of one stream. Its lookups in other streams are not
// recorded.
func (f *File) tracing(t StreamType) *File {
	if f.trace == nil || t == f.traced {
		return f
	}
	g := *f
	g.trace = nil
	return &g
}

// traceLong records bytes with a length of four bytes before them, if the file is traced; text is
// their meaning.
func (f *File) traceLong(what string, at int64, n uint64, data, text []byte) {
	if f.trace != nil {
		f.trace.Add(at, 4, "length of "+what, fmt.Sprintf("%d (%#x)", n, n))
		f.trace.Add(at+4, len(data), what, bin.Show(text))
	}
}

// traceBytes records bytes that no cursor reads, if the file is traced.
func (f *File) traceBytes(what string, at int64, data []byte) {
	if f.trace != nil {
		f.trace.Add(at, len(data), what, bin.Show(data))
	}
}
