package macho

import (
	"encoding/binary"

	"crashglass/core/base/bin"
	"crashglass/symbols/archives/decompress"
)

// compressed returns what a __zdebug section holds: "ZLIB", its size in eight
// big-endian bytes, and a zlib stream, which is read when it is asked for.
func (f *File) compressed(name string) bin.Source {
	src := f.section(name)
	if src.Size() == 0 {
		return bin.Source{}
	}
	head, err := src.Read("macho: section "+name, 0, 12)
	if err != nil || string(head[:4]) != "ZLIB" {
		f.note("macho: section %s: it does not begin as a compressed one", name)
		return bin.Source{}
	}
	size := binary.BigEndian.Uint64(head[4:])
	return f.unpacked.Open("macho: section "+name, src, 12, size, decompress.Zlib)
}
