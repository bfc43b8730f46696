package minidump

import (
	"fmt"
	"strings"
)

// A StreamType is the number of a stream in the directory. The file that reads a stream has its
// number; [kinds] lists all types that are known by name.
type StreamType uint32

// UnusedStream marks an unused entry of the directory.
const UnusedStream StreamType = 0

// Name returns the name of a type, or "" when no known writer uses it.
func (t StreamType) Name() string { return byNumber[t].name }

// String is the name, or the number in hex.
func (t StreamType) String() string {
	if name := t.Name(); name != "" {
		return name
	}
	return fmt.Sprintf("stream %#x", uint32(t))
}

// what returns the name for an error: "thread list".
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
		// A word starts where a lower case letter is followed by an upper case one.
		if i > 0 && r >= 'A' && r <= 'Z' && name[i-1] >= 'a' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
