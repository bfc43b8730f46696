package archive

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sync"

	"crashglass/core/base/sorting"
)

// A Scratch holds bytes outside of memory: a file without a name on a terminal, one of the
// browser's private file system in the page. Written bytes can be read until the program ends.
type Scratch interface {
	io.ReaderAt
	io.WriterAt
}

const maxScratch = 64 << 30

// A disk is a Scratch that is opened on first use, its used size, and the gaps in it.
type disk struct {
	open func() (Scratch, error)

	mu    sync.Mutex
	tried bool
	file  Scratch // nil where there is none
	end   int64
	gaps  []span // in their order, none beside another or at the end
}

// A span is a part of a scratch.
type span struct{ from, to int64 }

// put writes bytes and returns where they are. It fails without a scratch, or if the disk is full.
func (d *disk) put(data []byte) (at int64, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.tried && d.open != nil {
		d.file, _ = d.open() // without one, memory is used
	}
	d.tried = true
	n := int64(len(data))
	gap := slices.IndexFunc(d.gaps, func(s span) bool { return s.to-s.from >= n })
	at = d.end
	if gap >= 0 {
		at = d.gaps[gap].from
	}
	if d.file == nil || at+n > maxScratch {
		return 0, false
	}
	if _, err := d.file.WriteAt(data, at); err != nil {
		return 0, false
	}
	if gap >= 0 {
		d.gaps[gap].from += n
	} else {
		d.end += n
	}
	return at, true
}

func (d *disk) read(p []byte, at int64) error {
	n, err := d.file.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	return fmt.Errorf("%d of %d bytes at %#x of the unpacked file could be read again: %w", n, len(p), at, err)
}

func (d *disk) release(parts []span) {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := append(d.gaps, parts...)
	sorting.Stable(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	d.gaps = nil
	for _, s := range all {
		if last := len(d.gaps) - 1; last >= 0 && d.gaps[last].to == s.from {
			d.gaps[last].to = s.to
		} else if s.from < s.to {
			d.gaps = append(d.gaps, s)
		}
	}
	if last := len(d.gaps) - 1; last >= 0 && d.gaps[last].to == d.end {
		d.end, d.gaps = d.gaps[last].from, d.gaps[:last]
	}
}
