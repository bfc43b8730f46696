package exidx

import (
	"fmt"

	"crashglass/core/base/bin"
)

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
