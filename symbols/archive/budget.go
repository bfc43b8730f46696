package archive

import (
	"fmt"
	"io"
	"sync"

	"crashglass/core/bin"
)

// Limits bound what archives may cost. Zero values are defaults.
type Limits struct {
	Total   int64 // bytes of all members that are decompressed; 2 GiB
	Entries int   // members of one archive, and of those in it; 65,536

	// Decompressors are readers of more formats, by name: package decompress
	// has some. Without them only gzip and deflate are read.
	Decompressors map[string]func(io.Reader) (io.Reader, error)

	// Seekers open compressed files that can be read at any place, by format,
	// and report whether a file is one of them. Nothing of it is unpacked then
	// but blocks that are asked for; block is the size of the largest.
	Seekers map[string]func(bin.Source) (in bin.Source, block int64, ok bool)

	// Scratch opens a place for what is too much for memory, once. Without it,
	// or when it fails, all is kept in memory.
	Scratch func() (Scratch, error)

	// Stated says how large a file is by its own first bytes, or 0. Such a file
	// may be mostly zeros (an ELF core): up to that size it is no bomb, however
	// small it was when it was compressed.
	Stated func(head []byte) int64

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
	seek     map[string]func(bin.Source) (bin.Source, int64, bool)
	stated   func(head []byte) int64
	scratch  disk
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
	holes int64 // bytes of files of a stated size that may still be
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
	if l.Stated == nil {
		l.Stated = func([]byte) int64 { return 0 }
	}
	return &Budget{entries: l.Entries, open: l.Decompressors, seek: l.Seekers, stated: l.Stated, scratch: disk{open: l.Scratch}, progress: l.Progress, holes: freeHoles, room: freeRatio, toil: maxWork * freeRatio, count: l.Entries, left: l.Total, total: l.Total, work: maxWork * min(l.Total, 1<<60)}
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
	b.holes += maxWork * maxRatio * size
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
