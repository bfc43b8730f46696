package lzx

import "encoding/binary"

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
