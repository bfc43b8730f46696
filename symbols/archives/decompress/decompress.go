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
// Read this file first; section.go bounds the size of decompressed sections, and blocks.go
// reads files in place.
package decompress

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"crashglass/core/base/bin"
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

// Sizes of parts of an xz stream.
//
// Spec: https://tukaani.org/xz/xz-file-format.txt
const (
	xzHeader   = 12 // and of the footer
	xzMaxIndex = 32 << 20
)

// xzBlocks reads the index of a file with one stream, as `xz -T0` writes it. The
// decompressor checks the whole stream that it is given, so each block is read as
// a stream of its own: with the header of the file, and with an index of one.
func xzBlocks(src bin.Source) (*blocks, bool) {
	index, at, ok := xzIndex(src)
	if !ok {
		return nil, false
	}
	head, err := src.Read("header", 0, xzHeader)
	if err != nil {
		return nil, false
	}
	b := &blocks{src: src}
	sizes := map[int64]uint64{} // Unpadded Size of each block, by its place
	b.open = func(k block) (io.Reader, error) {
		tail := xzTail(head, sizes[k.off], uint64(k.size))
		return Xz(io.MultiReader(bytes.NewReader(head), b.section(k.off, k.packed), bytes.NewReader(tail)))
	}
	off := int64(xzHeader)
	for range takeVarint(&index) {
		unpadded, size := takeVarint(&index), takeVarint(&index)
		packed := int64(min(unpadded, 1<<40)+3) &^ 3
		if !b.add(off, packed, int64(min(size, 1<<40))) {
			return nil, false
		}
		sizes[off] = unpadded
		off += packed
	}
	return b, off == at
}

// xzIndex reads the records of the index, behind its indicator, and its place.
func xzIndex(src bin.Source) (records []byte, at int64, ok bool) {
	end := src.Size() - xzHeader
	foot, err := src.Read("footer", end, xzHeader)
	if err != nil || string(foot[10:]) != "YZ" || crc32.ChecksumIEEE(foot[4:10]) != binary.LittleEndian.Uint32(foot) {
		return nil, 0, false
	}
	size := (int64(binary.LittleEndian.Uint32(foot[4:])) + 1) * 4
	if size > xzMaxIndex {
		return nil, 0, false
	}
	index, err := src.Read("index", end-size, uint64(size))
	if err != nil || index[0] != 0 || crc32.ChecksumIEEE(index[:size-4]) != binary.LittleEndian.Uint32(index[size-4:]) {
		return nil, 0, false
	}
	return index[1:], end - size, true
}

// takeVarint takes a number off, 0 where there is none.
func takeVarint(data *[]byte) uint64 {
	v, n := binary.Uvarint(*data)
	*data = (*data)[max(n, 0):]
	return v
}

// xzTail is the index and the footer of a stream with one block.
func xzTail(head []byte, unpadded, size uint64) []byte {
	index := binary.AppendUvarint(binary.AppendUvarint([]byte{0, 1}, unpadded), size)
	for len(index)%4 != 0 {
		index = append(index, 0)
	}
	index = binary.LittleEndian.AppendUint32(index, crc32.ChecksumIEEE(index))
	foot := append(binary.LittleEndian.AppendUint32(nil, uint32(len(index)/4-1)), head[6:8]...) // Backward Size, Stream Flags
	out := binary.LittleEndian.AppendUint32(index, crc32.ChecksumIEEE(foot))
	return append(append(out, foot...), "YZ"...)
}

// Values of the seekable format of zstd: independent frames, and a table of their sizes in a last
// frame that decompressors skip.
//
// Spec: https://github.com/facebook/zstd/blob/dev/contrib/seekable_format/zstd_seekable_compression_format.md
const (
	seekTableMagic  = 0x184d_2a5e
	seekFooterMagic = 0x8f92_eab1
	seekFooter      = 9
	seekHeader      = 8
	seekChecksums   = 0x80
	seekReserved    = 0x7c
)

// zstdBlocks reads the table of a seekable file. Its sum is not checked: each
// frame has its own, or none.
func zstdBlocks(src bin.Source) (*blocks, bool) {
	size := src.Size()
	foot, err := src.Read("seek table", size-seekFooter, seekFooter)
	if err != nil || binary.LittleEndian.Uint32(foot[5:]) != seekFooterMagic || foot[4]&seekReserved != 0 {
		return nil, false
	}
	count, entry := int64(binary.LittleEndian.Uint32(foot)), int64(8)
	if foot[4]&seekChecksums != 0 {
		entry = 12
	}
	if count > maxBlocks {
		return nil, false
	}
	length := count*entry + seekFooter
	table, err := src.Read("seek table", size-length-seekHeader, uint64(length+seekHeader))
	if err != nil || binary.LittleEndian.Uint32(table) != seekTableMagic || int64(binary.LittleEndian.Uint32(table[4:])) != length {
		return nil, false
	}
	b := &blocks{src: src}
	b.open = func(k block) (io.Reader, error) { return Zstd(b.section(k.off, k.packed)) }
	off := int64(0)
	for i := range count {
		e := table[seekHeader+i*entry:]
		packed := int64(binary.LittleEndian.Uint32(e))
		if !b.add(off, packed, int64(binary.LittleEndian.Uint32(e[4:]))) {
			return nil, false
		}
		off += packed
	}
	return b, off == size-length-seekHeader
}
