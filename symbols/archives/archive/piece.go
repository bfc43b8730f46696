package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// pieceLen is the size of the chunks of a decompressed file: one large slice would be copied again
// and again while it grows.
const pieceLen = 1 << 20

// pieces are chunks that no file keeps: an archive may have thousands of small members.
var pieces = sync.Pool{New: func() any { return new([pieceLen]byte) }}

// inMemory is the number of bytes of a file that are kept in memory if there is a Scratch.
const inMemory = 64 << 20

// read decompresses r, which had packed compressed bytes. If r is damaged it returns the bytes
// before the damage, and the error. It takes the kept bytes from the budget, and returns nothing if
// the budget is exhausted.
func (b *Budget) read(name string, r io.Reader, packed int64) (*unpacked, error) {
	u := &unpacked{}
	for {
		if err := b.take(); err != nil {
			return b.refuse(u, err)
		}
		chunk := pieces.Get().(*[pieceLen]byte)
		piece := chunk[:]
		n, err := readPiece(r, piece)
		if u.size == 0 && err == nil {
			if stated := b.stated(piece); stated > pieceLen {
				b.giveBack(pieceLen, pieceLen)
				return b.readStated(u, name, io.MultiReader(bytes.NewReader(piece), r), packed, stated)
			}
		}
		if n < pieceLen/2 {
			piece = bytes.Clone(piece[:n]) // the last one of a file, and most files are small
			pieces.Put(chunk)
		}
		b.giveBack(pieceLen-len(piece), pieceLen-n)
		u.work += n
		b.keep(u, piece, n)
		switch {
		case errors.Is(err, io.EOF):
			return u, nil
		case err != nil:
			return u, err
		case u.size > freeRatio && u.size/maxRatio > packed:
			return b.refuse(u, fmt.Errorf("%d bytes become more than %d: a decompression bomb", packed, u.size))
		}
		if err := b.progress(name, u.size); err != nil {
			return b.refuse(u, stopped{err})
		}
	}
}

// keep adds n bytes of a chunk whose memory was taken from the budget. Memory of bytes on the
// scratch is returned.
func (b *Budget) keep(u *unpacked, piece []byte, n int) {
	if u.kept >= inMemory {
		if at, ok := b.scratch.put(piece[:n]); ok {
			u.onDisk(&b.scratch, at, int64(n))
			b.giveBack(len(piece), 0)
			return
		}
	}
	u.inMemory(piece[:n:n])
	u.kept += len(piece)
}

func (b *Budget) refuse(u *unpacked, err error) (*unpacked, error) {
	b.release(u)
	return &unpacked{}, err
}

// release returns a file's memory to the budget.
func (b *Budget) release(u *unpacked) {
	b.giveBack(u.kept, 0)
	b.scratch.release(u.onScratch())
}

// undo returns also the work of a file that is no longer open, so that a program which runs for
// long may open any number of files, one after another.
func (b *Budget) undo(u *unpacked) {
	b.release(u)
	b.giveBack(0, u.work)
	b.mu.Lock()
	b.holes += u.holes
	b.mu.Unlock()
}

// readPiece fills p as far as r goes. Unlike io.ReadFull it distinguishes the end of a stream,
// io.EOF, from a truncated stream, for which decompressors return io.ErrUnexpectedEOF.
func readPiece(r io.Reader, p []byte) (n int, err error) {
	for idle := 0; n < len(p) && err == nil; {
		var k int
		if k, err = r.Read(p[n:]); k == 0 && err == nil {
			if idle++; idle > 100 {
				return n, io.ErrNoProgress
			}
		}
		n += k
	}
	return n, err
}
