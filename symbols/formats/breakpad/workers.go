package breakpad

// A part of a file that one worker scans has at least leastOfWorker bytes, because less does not
// pay off, and at most mostOfWorker, because the memory of a worker never shrinks.
const (
	leastOfWorker = 16 << 20
	mostOfWorker  = 256 << 20
)

// PartsFor returns into how many parts a file is divided for so many workers.
func PartsFor(size int64, workers int) int {
	return int(max(min(size/leastOfWorker, int64(workers)), (size+mostOfWorker-1)/mostOfWorker, 1))
}
