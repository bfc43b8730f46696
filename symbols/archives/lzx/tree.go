package lzx

import "errors"

// Codes have up to maxCode bits; those of up to shortCode are found in a table.
const (
	maxCode   = 16
	shortCode = 10
)

var errTree = errors.New("a Huffman tree has more codes than bits allow")

// A tree is a canonical Huffman code: codes of one length follow each other in the order of
// symbols. A tree may have no codes.
type tree struct {
	short  [1 << shortCode]uint16 // symbol<<5 | bits, 0 where the code is longer
	limit  [maxCode + 1]uint32    // the first number of so many bits, filled up to 16, that is no code of them
	first  [maxCode + 1]uint32    // the first code of so many bits, filled up likewise
	at     [maxCode + 1]int       // where its symbol is in sorted
	sorted []uint16
}

// build makes the tree of lengths. It fails where codes would overlap.
func (t *tree) build(l lengths) error {
	var count [maxCode + 1]int
	for _, bits := range l {
		count[bits]++
	}
	count[0] = 0
	next, sum := uint32(0), 0
	for bits := 1; bits <= maxCode; bits++ {
		t.first[bits], t.at[bits] = next, sum
		next += uint32(count[bits]) << (maxCode - bits)
		sum += count[bits]
		t.limit[bits] = next
	}
	if next > 1<<maxCode {
		return errTree
	}
	t.sort(l, sum)
	return nil
}

// sort puts the symbols in the order of their codes, and the short ones in the table.
func (t *tree) sort(l lengths, n int) {
	t.sorted = append(t.sorted[:0], make([]uint16, n)...)
	clear(t.short[:])
	place := t.at
	for symbol, bits := range l {
		if bits == 0 {
			continue
		}
		rank := place[bits]
		place[bits]++
		t.sorted[rank] = uint16(symbol)
		if bits <= shortCode {
			code := t.first[bits] + uint32(rank-t.at[bits])<<(maxCode-bits)
			from := code >> (maxCode - shortCode)
			for i := range uint32(1) << (shortCode - bits) {
				t.short[from+i] = uint16(symbol)<<5 | uint16(bits)
			}
		}
	}
}

var errCode = errors.New("a code is in no Huffman tree")

// read reads a symbol.
func (t *tree) read(r *bitReader) (int, error) {
	v := r.peek(maxCode)
	if e := t.short[v>>(maxCode-shortCode)]; e != 0 {
		r.skip(int(e & 31))
		return int(e >> 5), nil
	}
	for bits := shortCode + 1; bits <= maxCode; bits++ {
		if v < t.limit[bits] && v >= t.first[bits] {
			r.skip(bits)
			return int(t.sorted[t.at[bits]+int((v-t.first[bits])>>(maxCode-bits))]), nil
		}
	}
	return 0, errCode
}
