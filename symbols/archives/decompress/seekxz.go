package decompress

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"crashglass/core/base/bin"
)

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
