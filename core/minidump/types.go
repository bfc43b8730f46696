package minidump

import (
	"fmt"
	"strings"
)

// A StreamType is the number of a stream in the directory. The numbers of
// those that are read stand in the file that reads them; all that are known by
// name are in [kinds].
type StreamType uint32

// UnusedStream marks an entry of the directory that stands for nothing.
const UnusedStream StreamType = 0

// Name is what a type is called, or "" when no writer is known to use it.
func (t StreamType) Name() string { return byNumber[t].name }

// String is the name, or the number in hex.
func (t StreamType) String() string {
	if name := t.Name(); name != "" {
		return name
	}
	return fmt.Sprintf("stream %#x", uint32(t))
}

// what is the name as it stands in an error: "thread list".
func (t StreamType) what() string {
	name := t.Name()
	switch {
	case name == "":
		return t.String()
	case t == Memory64ListStream:
		return "64-bit memory list"
	}
	var b strings.Builder
	for i, r := range name {
		// A new word starts where a small letter is followed by a capital.
		if i > 0 && r >= 'A' && r <= 'Z' && name[i-1] >= 'a' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
