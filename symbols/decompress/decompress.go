// Package decompress reads zstd, xz and lz4, which the standard library does not.
//
// It stands alone because of its weight in the page, 92 KB for zstd and 68 KB
// for xz when they are compressed: package archive must not decide for whoever
// imports it. They are handed to it:
//
//	archive.Limits{Decompressors: decompress.All()}
//
// Damaged input ends in an error of the library that read it. Memory is
// bounded by MaxWindow; how much comes out is bounded by package archive.
//
// Read this file first; section.go bounds what compressed sections become, and
// blocks.go with seekxz.go and seekzstd.go reads what can be read in place.
package decompress

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// MaxWindow is how far back a file may refer; a decompressor needs that much
// memory. It is what files of `zstd --long` and `xz -9` need.
const MaxWindow = 128 << 20

// A Decompressor reads what is compressed in its argument.
type Decompressor = func(io.Reader) (io.Reader, error)

// All returns a Decompressor for each format, by the name that package archive
// has for it.
func All() map[string]Decompressor {
	return map[string]Decompressor{"zstd": Zstd, "xz": Xz, "lz4": Lz4}
}

// Zstd reads RFC 8878. One decoder works in the goroutine of whoever reads, so
// there is nothing to close.
func Zstd(r io.Reader) (io.Reader, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(MaxWindow))
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Xz reads https://tukaani.org/xz/xz-file-format.txt.
func Xz(r io.Reader) (io.Reader, error) { return xz.NewReader(r, MaxWindow) }
