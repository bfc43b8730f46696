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

// len is how many bytes are left.
func (r *buffer) len() int { return len(r.b) - r.at }

// fail makes the buffer bad.
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

// skip moves n bytes ahead.
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

func (r *buffer) u16() uint16 {
	b := r.take(2)
	if b == nil {
		return 0
	}
	if r.big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// u24 reads three bytes: DW_FORM_strx3 and DW_FORM_addrx3 have as many.
func (r *buffer) u24() uint32 {
	b := r.take(3)
	if b == nil {
		return 0
	}
	if r.big {
		return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
	}
	return uint32(b[2])<<16 | uint32(b[1])<<8 | uint32(b[0])
}

func (r *buffer) u32() uint32 {
	b := r.take(4)
	if b == nil {
		return 0
	}
	if r.big {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func (r *buffer) u64() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	if r.big {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// word reads size bytes, which are an address or an offset.
func (r *buffer) word(size uint8) uint64 {
	switch size {
	case 8:
		return r.u64()
	case 4:
		return uint64(r.u32())
	case 2:
		return uint64(r.u16())
	case 1:
		return uint64(r.u8())
	}
	r.fail()
	return 0
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
	var v int64
	for shift := 0; r.at < len(r.b); shift += 7 {
		b := r.b[r.at]
		r.at++
		if shift < 64 {
			v |= int64(b&0x7f) << shift
		}
		if b < 0x80 {
			if shift < 57 && b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.fail()
	return 0
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
