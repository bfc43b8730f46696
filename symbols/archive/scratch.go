package archive

import (
	"fmt"
	"io"
	"sync"
)

// A Scratch is a place for bytes outside of memory: a file without a name on a
// terminal, one of the browser's private file system in the page. What is
// written can be read until the program ends.
type Scratch interface {
	io.ReaderAt
	io.WriterAt
}

// maxScratch is how much is put on a scratch.
const maxScratch = 64 << 30

// A disk is a Scratch that is opened when it is needed first, and what of it is
// in use: files lie on it one behind the other.
type disk struct {
	open func() (Scratch, error)

	mu    sync.Mutex
	tried bool
	file  Scratch // nil where there is none
	end   int64
}

// put writes bytes and returns where they are. It fails where there is no
// scratch, or none any more: a disk can be full.
func (d *disk) put(data []byte) (at int64, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.tried && d.open != nil {
		d.file, _ = d.open() // without one, memory it is
	}
	d.tried = true
	if d.file == nil || d.end+int64(len(data)) > maxScratch {
		return 0, false
	}
	if _, err := d.file.WriteAt(data, d.end); err != nil {
		return 0, false
	}
	at = d.end
	d.end += int64(len(data))
	return at, true
}

func (d *disk) read(p []byte, at int64) error {
	n, err := d.file.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	return fmt.Errorf("%d of %d bytes at %#x of the unpacked file could be read again: %w", n, len(p), at, err)
}

// release makes room again where the part that is no longer used is the last.
func (d *disk) release(from, to int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if to == d.end && from < to {
		d.end = from
	}
}
