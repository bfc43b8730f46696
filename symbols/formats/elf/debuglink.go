package elf

import (
	"bytes"
	"encoding/hex"
	"hash/crc32"
	"io"

	"crashglass/core/base/bin"
)

// A Link names another file that belongs to this one.
type Link struct {
	Name  string // of the file, at times with folders
	CRC   uint32 // of the whole file, in a Debug link
	ID    string // build id of the file in lower case hex, in a Supplement link
	Valid bool   // the file has such a link
}

// Links are the links of a file to others.
type Links struct {
	Debug      Link // .gnu_debuglink: the file that objcopy put debug information into
	Supplement Link // .gnu_debugaltlink or .debug_sup: the file that dwz wrote
}

// maxLink bounds a section with a link.
const maxLink = 64 << 10

// Links reads the links to other files.
//
// Source: https://sourceware.org/gdb/current/onlinedocs/gdb.html/Separate-Debug-Files.html
func (f *File) Links() (l Links) {
	if name, rest, ok := f.linkIn(".gnu_debuglink"); ok {
		// The checksum is at the next multiple of four. Section data that was
		// compressed has lost its alignment, so it is counted from the start.
		if pad := -(len(name) + 1) & 3; len(rest) >= pad+4 {
			l.Debug = Link{Name: name, CRC: f.h.order.Uint32(rest[pad:]), Valid: true}
		} else {
			f.note("elf: section .gnu_debuglink: %d bytes after the name, %d are needed", len(rest), pad+4)
		}
	}
	if name, rest, ok := f.linkIn(".gnu_debugaltlink"); ok {
		l.Supplement = Link{Name: name, ID: hex.EncodeToString(rest), Valid: true}
	}
	return l
}

func (f *File) linkIn(name string) (file string, rest []byte, ok bool) {
	src := f.Section(name)
	if src.Size() == 0 {
		return "", nil, false
	}
	data, err := src.ReadUpTo("elf: section "+name, 0, maxLink)
	if err != nil {
		f.note("%v", err)
		return "", nil, false
	}
	n := bytes.IndexByte(data, 0)
	if n < 0 {
		f.note("elf: section %s: its name has no end in %d bytes", name, len(data))
		return "", nil, false
	}
	return string(data[:n]), data[n+1:], true
}

// CRC returns the checksum of a whole file, as a Debug link (.gnu_debuglink) has it: zlib's CRC-32.
func CRC(src bin.Source) (uint32, error) {
	sum := crc32.NewIEEE()
	_, err := io.Copy(sum, io.NewSectionReader(src, 0, src.Size()))
	return sum.Sum32(), err
}
