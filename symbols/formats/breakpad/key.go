package breakpad

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"crashglass/core/base/bin"
)

// Key reads the beginning of a file, which has the MODULE record, its end, and blocks at equal
// distances between them. Each costs a call of the browser, almost a millisecond.
const (
	keyBlock  = 4 << 10
	keyBlocks = 16
)

// Key makes a file's key for a cache of indexes: from its size and from blocks spread over it.
// Inserting or removing bytes moves the rest, so the blocks after them differ. A replacement of
// equal size between two blocks is not noticed; so every record is compared with the file when it
// is used.
func Key(src bin.Source) (string, error) {
	sum := sha256.New()
	sum.Write(binary.LittleEndian.AppendUint64([]byte(savedMagic), uint64(src.Size())))
	last := max(src.Size()-keyBlock, 0)
	for i := range int64(keyBlocks) {
		at := last / (keyBlocks - 1) * i
		if i == keyBlocks-1 {
			at = last
		}
		block, err := src.Read("block of the file", at, uint64(min(keyBlock, src.Size())))
		if err != nil {
			return "", err
		}
		sum.Write(block)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
