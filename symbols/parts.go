package symbols

import (
	"crashglass/core/bin"
	"crashglass/symbols/breakpad"
)

// A part of a file that one worker scans has at least leastPart bytes, because
// less is not worth the way, and at most mostPart, because the memory of a
// worker never shrinks.
const (
	leastPart = 16 << 20
	mostPart  = 256 << 20
)

// Cut divides a symbol file into parts for so many workers, which may each
// call [ScanPart] with two neighbours of what it returns. What these return,
// one after another, is an index that a [Cache] may answer with.
func Cut(src bin.Source, workers int) ([]int64, error) {
	return breakpad.Cut(src, parts(src.Size(), workers))
}

func parts(size int64, workers int) int {
	return int(max(min(size/leastPart, int64(workers)), (size+mostPart-1)/mostPart, 1))
}

// ScanPart makes the index of a part of a symbol file.
func ScanPart(src bin.Source, from, to int64, progress func(done, total int64) error) ([]byte, error) {
	return breakpad.ScanPart(src, from, to, progress)
}
