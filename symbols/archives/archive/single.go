package archive

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"crashglass/core/base/bin"
)

const maxBuffer = 64 << 10

// single is the member of a compressed file.
func single(format Format, name string, src bin.Source, budget *Budget) []Member {
	if seek := budget.seek[string(format)]; seek != nil {
		if in, block, ok := seek(src); ok {
			return []Member{{Name: clean(inner(name, format)), Size: in.Size(), Block: block, in: format, packed: src.Size(), budget: budget, data: place(&in)}}
		}
	}
	return []Member{{
		Name: clean(inner(name, format)), Size: -1, in: format, packed: src.Size(), budget: budget,
		data: func() (*bin.Source, io.Reader, error) {
			data := input{io.NewSectionReader(src, 0, src.Size()), budget}
			stream, err := budget.decompress(format, bufio.NewReaderSize(data, int(min(maxBuffer, src.Size()))))
			return nil, stream, err
		},
	}}
}

// decompress returns the reader of a format. gzip is always available; the caller passes the
// others, because of their size.
func (b *Budget) decompress(format Format, r *bufio.Reader) (io.Reader, error) {
	head, _ := r.Peek(windowHead) // fewer of a file that is smaller
	if err := b.opening(window(format, head)); err != nil {
		return nil, err
	}
	switch format {
	case Gzip:
		return gunzip(r)
	case Zlib:
		return zlib.NewReader(r)
	}
	if open := b.open[string(format)]; open != nil {
		return open(r)
	}
	return nil, fmt.Errorf("%s files cannot be opened here: decompress it with %s -d", format, format)
}

// gunzippers are readers of gzip that no member uses.
var gunzippers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// A gunzipper leaves its memory to another member when it is closed.
type gunzipper struct{ *gzip.Reader }

func (g gunzipper) Close() error {
	gunzippers.Put(g.Reader)
	return nil
}

func gunzip(r io.Reader) (io.Reader, error) {
	g := gunzipper{gunzippers.Get().(*gzip.Reader)}
	if err := g.Reset(r); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// isZlib checks CMF, with the usual window, and FLG, without a dictionary: RFC 1950, 2.2. Two bytes
// are a weak signature, so text has to be excluded.
func isZlib(head []byte) bool {
	return len(head) > 2 && head[0] == 0x78 && head[1]&0x20 == 0 && (uint(head[0])<<8|uint(head[1]))%31 == 0
}

// inner is the name of a file before it was compressed.
func inner(name string, format Format) string {
	name = path.Base(clean(name))
	lower := strings.ToLower(name)
	for _, s := range []struct {
		format          Format
		suffix, instead string
	}{
		{Gzip, ".tgz", ".tar"}, {Gzip, ".gz", ""}, {Zstd, ".tzst", ".tar"}, {Zstd, ".zst", ""},
		{Xz, ".txz", ".tar"}, {Xz, ".xz", ""}, {Lz4, ".lz4", ""},
	} {
		if s.format == format && strings.HasSuffix(lower, s.suffix) && len(name) > len(s.suffix) {
			return name[:len(name)-len(s.suffix)] + s.instead
		}
	}
	return name
}

// windowHead is how many bytes of a file window needs.
const windowHead = 64

// window is how far back a file may refer. Reading its first byte allocates as much memory. It is 0
// if small or unknown.
func window(format Format, head []byte) int64 {
	switch format {
	case Zstd:
		return zstdWindow(head)
	case Xz:
		return xzWindow(head)
	}
	return 0
}

// zstdWindow reads Frame_Header_Descriptor and Window_Descriptor: RFC 8878,
// 3.1.1.1. A frame in one segment has its content for a window.
func zstdWindow(head []byte) int64 {
	if len(head) < 17 {
		return 0
	}
	if flags := head[4]; flags&0x20 != 0 {
		switch at := 5 + []int{0, 1, 2, 4}[flags&3]; flags >> 6 {
		case 2:
			return int64(binary.LittleEndian.Uint32(head[at:]))
		case 3:
			return int64(min(binary.LittleEndian.Uint64(head[at:]), 1<<40))
		}
		return 0
	}
	base := int64(1) << (10 + head[5]>>3)
	return base + base/8*int64(head[5]&7)
}

// xzWindow reads the size of the dictionary of LZMA2 in the first block's
// header: https://tukaani.org/xz/xz-file-format.txt, 3.1 and 5.3.1.
func xzWindow(head []byte) int64 {
	const streamHeader, lzma2 = 12, 0x21
	if len(head) < streamHeader+2 {
		return 0
	}
	flags, rest := head[streamHeader+1], head[streamHeader+2:]
	for _, sized := range []byte{0x40, 0x80} { // of the block, compressed and not
		if flags&sized != 0 {
			_, n := binary.Uvarint(rest)
			rest = rest[max(n, 0):]
		}
	}
	for len(rest) >= 3 {
		id, size, bits := rest[0], int(rest[1]), rest[2]
		if id == lzma2 && bits < 40 {
			return int64(2|bits&1) << (bits/2 + 11)
		}
		rest = rest[min(2+size, len(rest)):]
	}
	return 0
}
