package symbols

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/core/testkit/bomb"
	"crashglass/core/testkit/sample"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/archives/decompress"
)

// A metered reader counts the bytes that are read from a file.
type metered struct {
	io.ReaderAt
	read int64
}

func (m *metered) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.ReaderAt.ReadAt(p, off)
	m.read += int64(n)
	return n, err
}

// What an archive costs is proportional to its size, however many members share its data, and also if
// nothing comes of them. Memory counts also if it is freed: the page's worker cannot always collect
// it in time.
func TestArchivesCostWhatTheyAre(t *testing.T) {
	const freeRead, readPerByte, freeMemory, memoryPerByte = 32 << 20, 32, 128 << 20, 256
	for _, b := range sample.Members(bomb.Archives(t)) {
		runtime.GC() // in js a loop gives the collector no turn, and garbage grows to all the memory there is
		file := &metered{ReaderAt: bytes.NewReader(b.Dump)}
		size := int64(len(b.Dump))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		store := NewStore(Options{Limits: archive.Limits{Decompressors: decompress.All(), Seekers: decompress.Seekers()}})
		store.Add(b.Name, bin.NewSource(file, size))
		store.Close()
		runtime.ReadMemStats(&after)
		if most := freeRead + readPerByte*size; file.read > most {
			t.Errorf("%s: %d bytes were read, of a file of %d at most %d", b.Name, file.read, size, most)
		}
		if memory, most := int64(after.TotalAlloc-before.TotalAlloc), freeMemory+memoryPerByte*size; memory > most {
			t.Errorf("%s: %d bytes of memory were allocated, for a file of %d at most %d", b.Name, memory, size, most)
		}
	}
}
