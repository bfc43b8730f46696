package dwarf

import "encoding/binary"

// A buffer reads forward through bytes of a unit or program. It is a bin.Cursor for loops over
// hundreds of millions of values: the first read beyond the end makes it bad and empty, and later
// reads return 0.
type buffer struct {
	b   []byte
	at  int
	big bool
	bad bool
}

func (r *buffer) len() int { return len(r.b) - r.at }

func (r *buffer) fail() {
	r.bad = true
	r.at = len(r.b)
}

// take returns the next n bytes, nil when there are less.
func (r *buffer) take(n int) []byte {
	if n < 0 || n > len(r.b)-r.at {
		r.fail()
		return nil
	}
	b := r.b[r.at : r.at+n]
	r.at += n
	return b
}

func (r *buffer) skip(n uint64) {
	if n > uint64(len(r.b)-r.at) {
		r.fail()
		return
	}
	r.at += int(n)
}

func (r *buffer) u8() uint8 {
	if r.at >= len(r.b) {
		r.fail()
		return 0
	}
	v := r.b[r.at]
	r.at++
	return v
}

func (r *buffer) u16() uint16 { return uint16(r.fixed(2)) }

func (r *buffer) u32() uint32 { return uint32(r.fixed(4)) }

func (r *buffer) u64() uint64 { return r.fixed(8) }

// fixed reads a number of n bytes, at most 8: at once where eight are left, as nearly always.
func (r *buffer) fixed(n int) (v uint64) {
	if !r.big && len(r.b)-r.at >= 8 {
		v = binary.LittleEndian.Uint64(r.b[r.at:]) << (64 - 8*n) >> (64 - 8*n)
		r.at += n
		return v
	}
	for i, b := range r.take(n) {
		if r.big {
			v = v<<8 | uint64(b)
		} else {
			v |= uint64(b) << (8 * i)
		}
	}
	return v
}

// word reads size bytes, which are an address or an offset.
func (r *buffer) word(size uint8) uint64 {
	switch size {
	case 1, 2, 4, 8:
		return r.fixed(int(size))
	}
	r.fail()
	return 0
}

// sized returns the bytes behind their number.
func (r *buffer) sized() []byte {
	n := r.uleb()
	return r.take(int(min(n, uint64(r.len())+1)))
}

// uleb reads an unsigned LEB128 (section 7.6). Higher bits than 64 are dropped.
func (r *buffer) uleb() uint64 {
	if r.at < len(r.b) && r.b[r.at] < 0x80 {
		r.at++
		return uint64(r.b[r.at-1])
	}
	return r.longULEB()
}

// longULEB is uleb for numbers of more than one byte, apart so that the compiler can inline uleb.
func (r *buffer) longULEB() (v uint64) {
	for shift := 0; r.at < len(r.b); shift += 7 {
		b := r.b[r.at]
		r.at++
		if shift < 64 {
			v |= uint64(b&0x7f) << shift
		}
		if b < 0x80 {
			return v
		}
	}
	r.fail()
	return 0
}

// sleb reads a signed LEB128.
func (r *buffer) sleb() int64 {
	from := r.at
	v := int64(r.uleb())
	if bits := 7 * (r.at - from); bits < 64 && !r.bad && r.b[r.at-1]&0x40 != 0 {
		v |= -1 << bits
	}
	return v
}

// skipLEB skips a LEB128 of either kind.
func (r *buffer) skipLEB() {
	for r.at < len(r.b) {
		r.at++
		if r.b[r.at-1] < 0x80 {
			return
		}
	}
	r.fail()
}

// skipText skips bytes up to and including a zero.
func (r *buffer) skipText() {
	for r.at < len(r.b) {
		r.at++
		if r.b[r.at-1] == 0 {
			return
		}
	}
	r.fail()
}

// length reads the length at the beginning of a unit, which says whether its
// offsets have 4 or 8 bytes (section 7.4).
func (r *buffer) length() (n uint64, offsetSize uint8) {
	n = uint64(r.u32())
	if n == 0xffff_ffff {
		return r.u64(), 8
	}
	if n >= 0xffff_fff0 { // reserved
		r.fail()
	}
	return n, 4
}
