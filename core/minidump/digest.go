package minidump

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// A file up to here counts with every byte. Of a larger one blocks count, which
// are spread over it with one at each end: a dump of some gigabytes is never
// read whole. The first block has the time of writing and the directory.
const (
	digestWhole  = 1 << 20
	digestBlocks = 16
	digestBlock  = 16 << 10
)

// Digest tells dumps apart: the first half of a SHA-256, as 32 hex digits, of
// the file's size and of its bytes or, of a file above 1 MiB, of blocks of it.
// The same file has the same digest everywhere, whatever it is called. It does
// not protect against two files that were made to have one digest.
func (f *File) Digest() (string, error) {
	size := f.src.Size()
	sum := sha256.New()
	sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(size)))
	block, blocks := int64(digestBlock), int64(digestBlocks)
	if size <= digestWhole {
		block, blocks = size, 1
	}
	for i := range blocks {
		at := (size - block) / max(blocks-1, 1) * i
		if i == blocks-1 {
			at = size - block
		}
		data, err := f.src.Read("block of the file", at, uint64(block))
		if err != nil {
			return "", err
		}
		sum.Write(data)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:16]), nil
}
