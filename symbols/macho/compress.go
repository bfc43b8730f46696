package macho

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"crashglass/core/bin"
)

const (
	// mostInflated is how much deflate can make of a byte.
	mostInflated = 1032

	// maxInflated bounds what one section may become.
	maxInflated = 1 << 30
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
	if size > maxInflated || size > mostInflated*uint64(src.Size()) {
		f.note("macho: section %s: %d bytes cannot be what %d were compressed from", name, size, src.Size())
		return bin.Source{}
	}
	data := sync.OnceValue(func() []byte { return f.inflate(name, src, int(size)) })
	return bin.NewSource(inflated(data), int64(size))
}

func (f *File) inflate(name string, src bin.Source, size int) []byte {
	out := bytes.NewBuffer(nil)
	r, err := zlib.NewReader(io.NewSectionReader(src, 12, src.Size()-12))
	if err == nil {
		_, err = io.Copy(out, io.LimitReader(r, int64(size)))
	}
	if err == nil && out.Len() < size {
		err = fmt.Errorf("%d of %d bytes", out.Len(), size)
	}
	if err != nil {
		f.note("macho: section %s: decompression failed: %v", name, err)
	}
	return out.Bytes()
}

// inflated reads what is decompressed at the first time.
type inflated func() []byte

// ReadAt implements io.ReaderAt.
func (data inflated) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(data()).ReadAt(p, off)
}
