package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"
	"sync"
)

// An unpacked file is a decompressed one: in memory, on the scratch, or stored as a pattern that it
// repeats.
type unpacked struct {
	extents []extent // in their order, without gaps
	size    int64
	kept    int   // bytes of memory
	data    int64 // bytes outside of patterns, if pages were checked
	work    int   // bytes of work, and of holes, that it took from the budget
	holes   int64
}

// An extent is a part of a file: its bytes, a range of the scratch, or a pattern.
type extent struct {
	at   int64 // in the file
	data []byte
	disk *disk
	from int64 // on the scratch
	fill uint64
}

func (u *unpacked) inMemory(data []byte) {
	u.add(extent{data: data}, int64(len(data)))
}

func (u *unpacked) onDisk(d *disk, from, n int64) {
	if last := u.last(); last != nil && last.disk == d && last.from+(u.size-last.at) == from {
		u.size += n
		return
	}
	u.add(extent{disk: d, from: from}, n)
}

// onScratch lists the parts of the scratch that the file uses.
func (u *unpacked) onScratch() (parts []span) {
	for i, e := range u.extents {
		end := u.size
		if i+1 < len(u.extents) {
			end = u.extents[i+1].at
		}
		if e.disk != nil {
			parts = append(parts, span{e.from, e.from + end - e.at})
		}
	}
	return parts
}

// filled adds bytes that repeat a pattern.
func (u *unpacked) filled(fill uint64, n int64) {
	if last := u.last(); last != nil && last.data == nil && last.disk == nil && last.fill == fill && (u.size-last.at)%8 == 0 {
		u.size += n
		return
	}
	u.add(extent{fill: fill}, n)
}

func (u *unpacked) add(e extent, n int64) {
	if n > 0 {
		e.at = u.size
		u.extents = append(u.extents, e)
		u.size += n
	}
}

func (u *unpacked) last() *extent {
	if len(u.extents) == 0 {
		return nil
	}
	return &u.extents[len(u.extents)-1]
}

// ReadAt implements io.ReaderAt.
func (u *unpacked) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	i := sort.Search(len(u.extents), func(i int) bool { return u.extents[i].at > off }) - 1
	for ; n < len(p) && off < u.size; i++ {
		end := u.size
		if i+1 < len(u.extents) {
			end = u.extents[i+1].at
		}
		part := p[n:min(int64(len(p)), int64(n)+end-off)]
		if err := u.extents[i].read(part, off-u.extents[i].at); err != nil {
			return n, err
		}
		n, off = n+len(part), off+int64(len(part))
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// read fills p from a place in the extent, which reaches that far.
func (e *extent) read(p []byte, skip int64) error {
	switch {
	case e.disk != nil:
		return e.disk.read(p, e.from+skip)
	case e.data != nil:
		copy(p, e.data[skip:])
		return nil
	case e.fill == 0:
		clear(p)
		return nil
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], e.fill)
	for i := range p {
		p[i] = b[(skip+int64(i))%8]
	}
	return nil
}

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
		if err := b.reserve(); err != nil {
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
