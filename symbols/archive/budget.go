package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Limits bound what archives may cost. Zero values are defaults.
type Limits struct {
	Total   int64 // bytes of all members that are decompressed; 2 GiB
	Entries int   // members of one archive, and of those in it; 65,536

	// Decompressors are readers of more formats, by name: package decompress
	// has some. Without them only gzip and deflate are read.
	Decompressors map[string]func(io.Reader) (io.Reader, error)

	// Progress is called after each megabyte that is decompressed. The error
	// that it returns, if any, ends that, and whoever asked gets it.
	Progress func(name string, done int64) error
}

const (
	defaultTotal   = 2 << 30
	defaultEntries = 1 << 16
)

// Nothing that anybody would debug is smaller than a 200th of itself when it is
// compressed, once it is large: that is what a bomb looks like. Archives in
// archives do not multiply that: what all members become together is compared
// with the files that were given.
const (
	maxRatio  = 200
	freeRatio = 64 << 20
)

// What opening a member costs beside its bytes: tables of a decompressor, and
// a part of its window, most of which is never touched.
const (
	memberWork  = 64 << 10
	windowShare = 4
)

// A Budget is what is left of Limits. All archives of one place share one.
type Budget struct {
	entries  int
	open     map[string]func(io.Reader) (io.Reader, error)
	progress func(name string, done int64) error

	mu    sync.Mutex
	given bool  // Given was called
	room  int64 // bytes that may still be kept, by the size of what was given
	toil  int64 // bytes that may still be decompressed, by the same
	count int   // members that archives may still have
	over  error // why nothing is decompressed any more
	left  int64
	total int64
	work  int64 // bytes that may still be decompressed, whether they are kept or not
}

// maxWork is how often the total of a Budget may be decompressed. What is
// refused gives its memory back and its time not: a zip file can name one bomb
// as twenty thousand members.
const maxWork = 4

// NewBudget returns a Budget with limits.
func NewBudget(l Limits) *Budget {
	if l.Total <= 0 {
		l.Total = defaultTotal
	}
	if l.Entries <= 0 {
		l.Entries = defaultEntries
	}
	if l.Progress == nil {
		l.Progress = func(string, int64) error { return nil }
	}
	return &Budget{entries: l.Entries, open: l.Decompressors, progress: l.Progress, room: freeRatio, toil: maxWork * freeRatio, count: l.Entries, left: l.Total, total: l.Total, work: maxWork * min(l.Total, 1<<60)}
}

// Given makes room for what a file that is in no archive may become. Without
// it only Limits count.
func (b *Budget) Given(size int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	size = min(max(size, 0), 1<<40)
	b.given, b.over, b.count = true, nil, b.entries
	b.room += maxRatio * size
	b.toil += maxWork * maxRatio * size
}

// Over says why nothing is decompressed any more, or nil.
func (b *Budget) Over() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.over
}

// take takes a piece from the budget.
func (b *Budget) take() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case pieceLen > b.left:
		return fmt.Errorf("decompressed files exceed %d bytes together", b.total)
	case b.given && pieceLen > b.room:
		return fmt.Errorf("decompressed files are more than %d times larger than the archives that were given: a decompression bomb", maxRatio)
	}
	if err := b.spend(pieceLen); err != nil {
		return err
	}
	b.left -= pieceLen
	b.room -= pieceLen
	return nil
}

// spend takes work.
func (b *Budget) spend(n int64) error {
	switch {
	case n > b.work:
		b.over = fmt.Errorf("decompressing took more than %d bytes together, of which most were no use", maxWork*b.total)
	case b.given && n > b.toil:
		b.over = fmt.Errorf("looking into its members took more than %d times what was given", maxWork*maxRatio)
	default:
		b.work -= n
		b.toil -= n
		return nil
	}
	return b.over
}

// opening takes what opening a member costs, with a window of a size.
func (b *Budget) opening(window int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.given {
		return nil
	}
	n := memberWork + window/windowShare
	if n > b.toil {
		return b.spend(n)
	}
	b.toil -= n
	return nil
}

// member takes one member of a list, and fails when there are too many.
func (b *Budget) member(in string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.count == 0 {
		return fmt.Errorf("archive: %s: more than %d members", in, b.entries)
	}
	b.count--
	return nil
}

// giveBack returns memory that is not kept, and work that was not done.
func (b *Budget) giveBack(left, work int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += int64(left)
	b.room += int64(left)
	b.work += int64(work)
	b.toil += int64(work)
}

// stopped wraps the error of whoever wanted no more progress.
type stopped struct{ error }

func (s stopped) Unwrap() error { return s.error }

// pieceLen is the size of the pieces that a decompressed file is kept in: one
// large slice would have to be copied again and again while it grows.
const pieceLen = 1 << 20

// memory is a file in memory.
type memory struct {
	pieces [][]byte // each of pieceLen bytes but the last
	size   int64
	kept   int // of memory
}

// read decompresses r, which comes from packed bytes, into memory. Where r is
// damaged it returns what comes before that, and the error. It takes from the
// budget what it keeps, and returns nothing when that is not enough.
func (b *Budget) read(name string, r io.Reader, packed int64) (*memory, error) {
	m := &memory{}
	for {
		if err := b.take(); err != nil {
			return b.refuse(m, err)
		}
		piece := make([]byte, pieceLen)
		n, err := readPiece(r, piece)
		if n < pieceLen/2 {
			piece = bytes.Clone(piece[:n]) // the last one of a file, and most files are small
		}
		b.giveBack(pieceLen-len(piece), pieceLen-n)
		m.pieces = append(m.pieces, piece[:n:n])
		m.size += int64(n)
		m.kept += len(piece)
		switch {
		case errors.Is(err, io.EOF):
			return m, nil
		case err != nil:
			return m, err
		case m.size > freeRatio && m.size/maxRatio > packed:
			return b.refuse(m, fmt.Errorf("%d bytes become more than %d: a decompression bomb", packed, m.size))
		}
		if err := b.progress(name, m.size); err != nil {
			return b.refuse(m, stopped{err})
		}
	}
}

func (b *Budget) refuse(m *memory, err error) (*memory, error) {
	b.giveBack(m.kept, 0)
	return &memory{}, err
}

// readPiece fills p as far as r goes. Unlike io.ReadFull it keeps the end of
// a stream, which is io.EOF, apart from a stream that breaks off, for which
// decompressors use io.ErrUnexpectedEOF.
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

// ReadAt implements io.ReaderAt.
func (m *memory) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	for n < len(p) && off < m.size {
		k := copy(p[n:], m.pieces[off/pieceLen][off%pieceLen:])
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
