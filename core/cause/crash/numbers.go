package crash

import (
	"math"
	"strconv"
)

// signedText returns the number that the lowest bits of a word are.
func signedText(v uint64, bits int) string {
	unused := 64 - bits
	return strconv.FormatInt(int64(v<<unused)>>unused, 10)
}

// float32Text returns the number that the lower half of a word is.
func float32Text(v uint64) string {
	return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
}

// float64Text returns the number that a word is.
func float64Text(v uint64) string { return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64) }
