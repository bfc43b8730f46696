package capsule

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
)

// storedBlock is the most of a stored block of deflate (RFC 1951, 3.2.4).
const storedBlock = 1<<16 - 1

// Stored writes data as gzip without compressing it. The page uses it: its symbols are small, and a
// compressor would make the page 30 KB larger.
//
// Source: RFC 1952, 2.3; RFC 1951, 3.2.4.
func Stored(w io.Writer, data []byte) error {
	b := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff} // deflate, no name, no time, unknown system
	for chunk := range slices.Chunk(data, storedBlock) {
		n := uint16(len(chunk))
		b = append(b, 0)
		b = binary.LittleEndian.AppendUint16(b, n)
		b = binary.LittleEndian.AppendUint16(b, ^n)
		b = append(b, chunk...)
	}
	b = append(b, 1, 0, 0, 0xff, 0xff) // the last block is an empty one
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(data))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	_, err := w.Write(b)
	return err
}
