package breakpad

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"crashglass/core/bin"
)

// What Key reads of a file: its beginning, which has MODULE in it, its end, and
// blocks at equal distances between them. Each is a call of the browser's,
// which takes most of a millisecond.
const (
	keyBlock  = 4 << 10
	keyBlocks = 16
)

// Key names a file for a cache of indexes: by its size and by what is in
// blocks all over it. Anything that is inserted or left out moves what follows,
// so the blocks after it differ. What is replaced by as many other bytes
// between two blocks goes unseen; that is why every record is compared with the
// file when it is used.
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
