package process

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
)

// The digest of a file up to this size covers every byte. For a larger file it covers blocks that
// are spread over the file, with one at each end, so that a dump of gigabytes is never read
// completely. The first block has the time of writing and the directory.
const (
	digestWhole  = 1 << 20
	digestBlocks = 16
	digestBlock  = 16 << 10
)

// Digest identifies a file: the first half of a SHA-256, as 32 hex digits, of the file's size and
// its bytes or, above 1 MiB, of blocks of it. It does not depend on the file's name. It does not
// protect against files that were made to have the same digest.
func Digest(src bin.Source) (string, error) {
	size := src.Size()
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
		data, err := src.Read("block of the file", at, uint64(block))
		if err != nil {
			return "", err
		}
		sum.Write(data)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:16]), nil
}
