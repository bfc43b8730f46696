package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	// page is the unit of such a file: a page is all zeros, or repeats one pattern, or is kept.
	page = 4 << 10

	// freeHoles is the size to which such files may expand beyond the ratio, 64 GiB: a core is as
	// large as its process.
	freeHoles = 64 << 30

	// freeKept is how many bytes of a file are kept at any ratio: a large array of equal records
	// compresses as well as zeros do.
	freeKept = 1 << 30
)

// Partial says why only the beginning of an undamaged file was decompressed.
type Partial struct{ error }

// Unwrap returns the limit that was reached.
func (p Partial) Unwrap() error { return p.error }

// readStated decompresses a file that states its size. Its pages of zeros, or of a repeated pattern
// of 8 bytes, take neither memory nor budget. Beyond the budget the file is treated as if it ended
// there.
func (b *Budget) readStated(u *unpacked, name string, r io.Reader, packed, stated int64) (*unpacked, error) {
	chunk := pieces.Get().(*[pieceLen]byte)
	defer pieces.Put(chunk)
	piece := chunk[:]
	for u.size < stated {
		if err := b.hole(pieceLen); err != nil {
			return u, Partial{err}
		}
		u.holes += pieceLen
		n, err := readPiece(r, piece)
		if tooMuch := b.keepPages(u, piece[:n], packed); tooMuch != nil {
			return u, Partial{tooMuch}
		}
		switch {
		case errors.Is(err, io.EOF):
			return u, nil
		case err != nil:
			return u, err
		}
		if err := b.progress(name, u.size); err != nil {
			return b.refuse(u, stopped{err})
		}
	}
	return u, nil
}

// hole takes the bytes of a page without data from the budget.
func (b *Budget) hole(n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.holes {
		return fmt.Errorf("the files of this run become more than %d GiB: decompress this one first", freeHoles>>30)
	}
	b.holes -= n
	return nil
}

// extentCost is an entry of a file's list of extents, twice: the list grows by
// copying.
const extentCost = 128

// The list of extents is memory, too: a file in which pages of data and of zeros alternate has one for each page.
func (b *Budget) keepPages(u *unpacked, piece []byte, packed int64) error {
	for len(piece) > 0 {
		before := len(u.extents)
		n := min(page, len(piece))
		if fill, ok := pattern(piece[:n]); ok {
			u.filled(fill, int64(n))
		} else {
			for n < len(piece) && !isFill(piece[n:min(n+page, len(piece))]) {
				n = min(n+page, len(piece))
			}
			if err := b.keepData(u, piece[:n], packed); err != nil {
				return err
			}
		}
		if more := (len(u.extents) - before) * extentCost; more > 0 {
			if err := b.memory(int64(more)); err != nil {
				return err
			}
			u.kept += more
		}
		piece = piece[n:]
	}
	return nil
}

// keepData adds a run of pages with data: to memory first, and then to the scratch.
func (b *Budget) keepData(u *unpacked, data []byte, packed int64) error {
	if u.data += int64(len(data)); u.data > freeKept && u.data/maxRatio > packed {
		return fmt.Errorf("%d bytes become more than %d that are no zeros: a decompression bomb", packed, u.data)
	}
	if u.kept >= inMemory {
		if at, ok := b.scratch.put(data); ok {
			u.onDisk(&b.scratch, at, int64(len(data)))
			return nil
		}
	}
	if err := b.memory(int64(len(data))); err != nil {
		return err
	}
	u.inMemory(bytes.Clone(data))
	u.kept += len(data)
	return nil
}

func (b *Budget) memory(n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.left {
		return fmt.Errorf("decompressed files exceed %d bytes together", b.total)
	}
	b.left -= n
	b.room -= n // which giveBack returns as well
	return nil
}

// pattern is the 8 bytes that a page repeats.
func pattern(p []byte) (fill uint64, ok bool) {
	if len(p) < 8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(p), isFill(p)
}

func isFill(p []byte) bool { return len(p)%8 == 0 && bytes.Equal(p[8:], p[:len(p)-8]) }
