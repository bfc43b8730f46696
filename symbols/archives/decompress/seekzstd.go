package decompress

import (
	"encoding/binary"
	"io"

	"crashglass/core/base/bin"
)

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
