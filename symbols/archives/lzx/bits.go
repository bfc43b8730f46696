package lzx

import (
	"encoding/binary"
	"errors"
)

// A bitReader reads bits from 16-bit words in little-endian order, the highest bit of a word first.
// After the end it reads zeros, which are counted.
type bitReader struct {
	src     []byte
	at      int    // in src
	hold    uint64 // the next bits, from the highest on
	n       int    // how many there are
	missing int    // bits that were read behind the end
}

// more appends input, behind what was not read of the input before.
func (r *bitReader) more(data []byte) {
	r.unread()
	r.src, r.at = append(append([]byte(nil), r.src[r.at:]...), data...), 0
}

// unread gives back the words whose bits were all left unread.
func (r *bitReader) unread() {
	r.at -= r.n / 16 * 2
	r.hold, r.n = 0, 0
}

// left is how many bytes are not read yet, apart from bits of a word.
func (r *bitReader) left() int { return len(r.src) - r.at + r.n/16*2 }

// fill makes sure of 32 bits, as far as there are any.
func (r *bitReader) fill() {
	for r.n <= 32 && r.at+2 <= len(r.src) {
		r.hold |= uint64(binary.LittleEndian.Uint16(r.src[r.at:])) << (48 - r.n)
		r.n += 16
		r.at += 2
	}
}

// peek returns the next bits, 16 at most, without reading them.
func (r *bitReader) peek(bits int) uint32 {
	if r.n < bits {
		r.fill()
	}
	return uint32(r.hold >> 48 >> (16 - bits))
}

// skip reads bits that were peeked at.
func (r *bitReader) skip(bits int) {
	if bits > r.n {
		r.missing += bits - r.n
		r.hold, r.n = 0, 0
		return
	}
	r.hold <<= bits
	r.n -= bits
}

// read reads up to 17 bits.
func (r *bitReader) read(bits int) (v uint32) {
	if bits > 16 {
		v = r.read(bits-16) << 16
		bits = 16
	}
	v |= r.peek(bits)
	r.skip(bits)
	return v
}

// align goes on at the next word, where the bits before it end.
func (r *bitReader) align() { r.skip(r.n % 16) }

// alignRaw goes on at the next word, but leaves at least one bit out.
func (r *bitReader) alignRaw() {
	if r.fill(); r.n%16 == 0 {
		r.skip(16)
		return
	}
	r.align()
}

// rawByte reads a byte where the last bits ended with a word.
func (r *bitReader) rawByte() byte {
	r.unread()
	if r.at == len(r.src) {
		r.missing += 8
		return 0
	}
	r.at++
	return r.src[r.at-1]
}

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
