package archive

import (
	"fmt"
	"io"
	"sync"
)

// A Scratch holds bytes outside of memory: a file without a name on a terminal, one of the
// browser's private file system in the page. Written bytes can be read until the program ends.
type Scratch interface {
	io.ReaderAt
	io.WriterAt
}

// maxScratch is the most bytes on a scratch.
const maxScratch = 64 << 30

// A disk is a Scratch that is opened on first use, and its used size: files lie on it one after
// another.
type disk struct {
	open func() (Scratch, error)

	mu    sync.Mutex
	tried bool
	file  Scratch // nil where there is none
	end   int64
}

// put writes bytes and returns where they are. It fails without a scratch, or if the disk is full.
func (d *disk) put(data []byte) (at int64, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.tried && d.open != nil {
		d.file, _ = d.open() // without one, memory is used
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

// release frees a part that is no longer used, if it is the last one.
func (d *disk) release(from, to int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if to == d.end && from < to {
		d.end = from
	}
}
