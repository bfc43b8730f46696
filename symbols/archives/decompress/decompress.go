// Package decompress reads zstd, xz and lz4, which the standard library lacks.
//
// It is a package of its own because of its size in the page, 92 KB for zstd and 68 KB for xz,
// compressed: importing package archive must not link it. The caller passes its readers to package
// archive:
//
//	archive.Limits{Decompressors: decompress.All()}
//
// Damaged input ends in an error of the library that read it. MaxWindow bounds the memory, and
// package archive bounds the output.
//
// Read this file first; section.go bounds the size of decompressed sections, and blocks.go with
// seekxz.go and seekzstd.go reads files in place.
package decompress

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// MaxWindow is how far back a file may refer; a decompressor needs that much memory. Files of `zstd
// --long` and `xz -9` need this much.
const MaxWindow = 128 << 20

// A Decompressor decompresses its argument.
type Decompressor = func(io.Reader) (io.Reader, error)

// All returns a Decompressor for each format, by the name that package archive
// has for it.
func All() map[string]Decompressor {
	return map[string]Decompressor{"zstd": Zstd, "xz": Xz, "lz4": unpackLZ4}
}

// Zstd reads RFC 8878. The decoder works in the reader's goroutine, so it need not be closed.
func Zstd(r io.Reader) (io.Reader, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(MaxWindow))
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Xz reads https://tukaani.org/xz/xz-file-format.txt.
func Xz(r io.Reader) (io.Reader, error) { return xz.NewReader(r, MaxWindow) }
