package archive

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"crashglass/core/base/bin"
)

// Limits bound what archives may cost. Zero values are defaults.
type Limits struct {
	Total   int64 // decompressed bytes of all members; 2 GiB
	Entries int   // members of one archive and its nested archives; 65,536

	// Decompressors read further formats, by name: package decompress has some. Without them only
	// gzip and deflate are read.
	Decompressors map[string]func(io.Reader) (io.Reader, error)

	// Seekers open compressed files that can be read at any offset, by format, and report whether a
	// file is one. Such a file is decompressed only in the blocks that are read; block is the size
	// of the largest.
	Seekers map[string]func(bin.Source) (in bin.Source, block int64, ok bool)

	// Scratch opens a file for data that does not fit into memory, once. Without it, or if it
	// fails, everything stays in memory.
	Scratch func() (Scratch, error)

	// Stated returns the size that a file's first bytes state, or 0. Such a file may be mostly
	// zeros (an ELF core): up to that size it is no bomb, however well it was compressed.
	Stated func(head []byte) int64

	// Progress is called after each megabyte that is decompressed. If it returns an error,
	// decompression ends and the caller gets the error.
	Progress func(name string, done int64) error
}

const (
	defaultTotal   = 2 << 30
	defaultEntries = 1 << 16
)

// No large file worth debugging compresses to less than a 200th of its size, but bombs do. Nested
// archives do not multiply the ratio: the decompressed size of all members together is compared
// with the size of the given files.
const (
	maxRatio  = 200
	freeRatio = 64 << 20
)

// The cost of a member besides its bytes, in bytes of output that take as long: the tables of a
// decompressor (those of deflate and of cabinets are reused), the touched part of its window, and
// its input. A block of deflate may be two Huffman trees in 11 bytes, without output.
const (
	memberWork  = 64 << 10
	reusedWork  = 8 << 10
	windowShare = 4
	inputWork   = 64
)

// A Budget is the rest of Limits. All archives of one Store share one.
type Budget struct {
	entries  int
	open     map[string]func(io.Reader) (io.Reader, error)
	seek     map[string]func(bin.Source) (bin.Source, int64, bool)
	stated   func(head []byte) int64
	scratch  disk
	progress func(name string, done int64) error

	mu       sync.Mutex
	hasInput bool  // AddInput was called
	room     int64 // bytes that may still be kept, by the size of the given files
	toil     int64 // bytes that may still be decompressed, by the same
	count    int   // members that archives may still have
	exceeded error // why nothing is decompressed any more
	left     int64
	total    int64
	work     int64 // bytes that may still be decompressed, whether they are kept or not
	holes    int64 // bytes of files of a stated size that may still be
}

// maxWork is how often the total of a Budget may be decompressed. A refused member returns its
// memory but not its time: a zip file can name one bomb as twenty thousand members.
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
	return &Budget{entries: l.Entries, open: l.Decompressors, seek: l.Seekers, stated: l.Stated, scratch: disk{open: l.Scratch}, progress: l.Progress,
		holes: freeHoles, room: freeRatio, toil: maxWork * freeRatio, count: l.Entries, left: l.Total, total: l.Total, work: maxWork * min(l.Total, 1<<60)}
}

// AddInput adds the size of a given file to the budget. Without it only Limits count.
func (b *Budget) AddInput(size int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	size = min(max(size, 0), 1<<40)
	b.hasInput, b.exceeded, b.count = true, nil, b.entries
	b.room += maxRatio * size
	b.toil += maxWork * maxRatio * size
	b.holes += maxWork * maxRatio * size
}

// Exceeded returns why decompression stopped, or nil.
func (b *Budget) Exceeded() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.exceeded
}

func (b *Budget) reserve() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case pieceLen > b.left:
		return fmt.Errorf("decompressed files exceed %d bytes together", b.total)
	case b.hasInput && pieceLen > b.room:
		return fmt.Errorf("decompressed files are more than %d times larger than the archives that were given: a decompression bomb", maxRatio)
	}
	if err := b.spend(pieceLen); err != nil {
		return err
	}
	b.left -= pieceLen
	b.room -= pieceLen
	return nil
}

func (b *Budget) spend(n int64) error {
	switch {
	case n > b.work:
		b.exceeded = fmt.Errorf("decompressing took more than %d bytes together, of which most were no use", maxWork*b.total)
	case b.hasInput && n > b.toil:
		b.exceeded = fmt.Errorf("looking into its members took more than %d times what was given", maxWork*maxRatio)
	default:
		b.work -= n
		b.toil -= n
		return nil
	}
	return b.exceeded
}

// opening takes the cost of opening a member with a window of a size.
func (b *Budget) opening(window int64) error { return b.effort(memberWork + window/windowShare) }

// An input is the compressed data of a member. Reading it is work, also if nothing comes of it.
type input struct {
	io.Reader
	budget *Budget
}

// Read implements io.Reader.
func (i input) Read(p []byte) (int, error) {
	n, err := i.Reader.Read(p)
	if exceeded := i.budget.effort(inputWork * int64(n)); exceeded != nil {
		return 0, exceeded
	}
	return n, err
}

// effort takes work that makes no output.
func (b *Budget) effort(n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.hasInput {
		return nil
	}
	if n > b.toil {
		return b.spend(n)
	}
	b.toil -= n
	return nil
}

// Beyond is the error of an archive of more members than the limit, besides those up to the limit.
type Beyond struct {
	Count int // members that are not listed, at least
	in    string
	limit int
}

func (b *Beyond) Error() string {
	return fmt.Sprintf("archive: %s: more than %d members", b.in, b.limit)
}

// beyond returns an error of member with the number of members that it refused. If they are only folders, nothing is left out.
func beyond(refused error, count int) error {
	var b *Beyond
	if !errors.As(refused, &b) || count == 0 {
		return nil
	}
	b.Count = count
	return refused
}

// member takes one member of a list, and fails when there are too many.
func (b *Budget) member(in string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.count == 0 {
		return &Beyond{1, in, b.entries}
	}
	b.count--
	return nil
}

func (b *Budget) giveBack(left, work int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += int64(left)
	b.room += int64(left)
	b.work += int64(work)
	b.toil += int64(work)
}

// stopped wraps the error by which the caller ended the work.
type stopped struct{ error }

func (s stopped) Unwrap() error { return s.error }
