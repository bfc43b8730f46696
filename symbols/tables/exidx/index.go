package exidx

import (
	"fmt"
	"sort"

	"crashglass/core/base/bin"
)

// entrySize is the bytes of an index entry: where the function is, and its
// instructions or where they are.
const entrySize = 8

// maxIndex bounds the index. One entry for every two bytes of code is 4 GiB;
// the largest known, of a browser's library, has 7 MB.
const maxIndex = 256 << 20

// entries is the whole index, or nothing if it cannot be used.
func (t *Table) entries() []byte {
	t.mu.Lock()
	if t.read {
		defer t.mu.Unlock()
		return t.index
	}
	t.mu.Unlock()
	index, err := t.readIndex()
	if err != nil {
		t.note(fmt.Errorf("exidx: %w", err))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read, t.index = true, index
	return index
}

func (t *Table) readIndex() ([]byte, error) {
	const what = ".ARM.exidx"
	size := uint64(t.s.Exidx.Data.Size()) / entrySize * entrySize
	if size > maxIndex {
		return nil, &bin.Error{What: what, Why: fmt.Sprintf("%d bytes, more than %d", size, maxIndex)}
	}
	index, err := t.s.Exidx.Data.Read(what, 0, size)
	if err != nil {
		return nil, err
	}
	last := uint64(0)
	for i := range len(index) / entrySize {
		start := t.start(index, i)
		switch {
		case t.word(index, i, 0)>>31 != 0:
			err = &bin.Error{What: what, Off: int64(i * entrySize), Why: "an entry begins with bit 31 set"}
		case start < last:
			err = &bin.Error{What: what, Off: int64(i * entrySize),
				Why: fmt.Sprintf("%#x follows %#x: the index is not sorted", start, last)}
		case start < t.s.Base:
			err = &bin.Error{What: what, Off: int64(i * entrySize),
				Why: fmt.Sprintf("%#x lies below the image at %#x", start, t.s.Base)}
		}
		if err != nil {
			return nil, err
		}
		last = start
	}
	return index, nil
}

// word is the first or second word of an entry.
func (t *Table) word(index []byte, i, n int) uint32 {
	return t.s.Order.Uint32(index[i*entrySize+4*n:])
}

// start is the address of an entry's function, without the bit for Thumb.
func (t *Table) start(index []byte, i int) uint64 {
	at := t.s.Exidx.Addr + uint64(i*entrySize)
	return uint64(prel31(at, t.word(index, i, 0)) &^ 1)
}

// prel31 adds the lower 31 bits of a word, as a number with a sign, to the
// address that it is at.
func prel31(at uint64, word uint32) uint32 {
	return uint32(at) + uint32(int32(word<<1)>>1)
}

// find returns the number of the last entry that begins at an address or
// before it, or -1.
func (t *Table) find(index []byte, addr uint32) int {
	return sort.Search(len(index)/entrySize, func(i int) bool { return t.start(index, i) > uint64(addr) }) - 1
}

// extent is the address and size of an entry's code. It is empty if the next entry has the same
// address.
func (t *Table) extent(index []byte, i int) (start, size uint64) {
	start = t.start(index, i)
	end := t.s.End
	if (i+1)*entrySize < len(index) {
		end = t.start(index, i+1)
	}
	return start, max(end, start) - start
}

// cantUnwind is the second word of an entry that forbids exceptions to pass.
const cantUnwind = 1

// instructions are those of an entry, and nil when it has none.
//
//	1                          EXIDX_CANTUNWIND
//	80 b b b                   three instructions, for the personality routine 0
//	bit 31 clear               where they are: prel31 of an entry in .ARM.extab
func (t *Table) instructions(index []byte, i int) ([]byte, error) {
	word := t.word(index, i, 1)
	at := int64(i*entrySize + 4)
	switch {
	case word == cantUnwind:
		return nil, nil
	case word>>24 == 0x80:
		return []byte{byte(word >> 16), byte(word >> 8), byte(word)}, nil
	case word>>31 != 0:
		return nil, fmt.Errorf("exidx: %w", &bin.Error{What: ".ARM.exidx entry", Off: at,
			Why: fmt.Sprintf("instructions %#x of a personality routine other than 0", word)})
	}
	addr := prel31(t.s.Exidx.Addr+uint64(at), word)
	code, err := t.table(int64(uint64(addr) - t.s.Extab.Addr))
	if err != nil {
		return nil, fmt.Errorf("exidx: %w", err)
	}
	return code, nil
}

// table reads the instructions of an entry in .ARM.extab:
//
//	80 b b b                   personality routine 0
//	81 n b b, n words          1 and 2
//	82 n b b, n words
//	prel31, n b b b, n words   any other routine, which by GCC's and Clang's
//	                           convention has its instructions laid out so
func (t *Table) table(off int64) ([]byte, error) {
	const what = ".ARM.extab entry"
	data, err := t.s.Extab.Data.ReadUpTo(what, off, 8+4*255)
	if err != nil {
		return nil, err
	}
	c := bin.NewOrderedCursor(what, off, data, t.s.Order)
	word := c.U32()
	skip := 2 // bytes of the word in front of the instructions
	switch {
	case word>>24 == 0x80:
		return words(c, word, 1, 0), c.Err()
	case word>>24 == 0x81, word>>24 == 0x82:
	case word>>31 == 0:
		word, skip = c.U32(), 1
		return words(c, word, skip, int(word>>24)), c.Err()
	default:
		c.Fail("word %#x is of no personality routine that is known", word)
		return nil, c.Err()
	}
	return words(c, word, skip, int(word>>16&0xff)), c.Err()
}

// words are the bytes of a word behind the first skip ones, and of n more
// words, most significant first.
func words(c *bin.Cursor, word uint32, skip, n int) []byte {
	var out []byte
	for i := skip; i < 4; i++ {
		out = append(out, byte(word>>(24-8*i)))
	}
	for range n {
		word := c.U32()
		out = append(out, byte(word>>24), byte(word>>16), byte(word>>8), byte(word))
	}
	return out
}
