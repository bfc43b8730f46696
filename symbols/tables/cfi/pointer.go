package cfi

import "crashglass/core/base/bin"

// Encodings of pointers. LSB Core 5.0, section 10.5.1.
const (
	encAbsolute = 0x00
	encOmit     = 0xff

	encFormat   = 0x0f
	encBase     = 0x70
	encIndirect = 0x80

	baseNone    = 0x00
	basePC      = 0x10
	baseText    = 0x20
	baseData    = 0x30
	baseAligned = 0x50
)

type pointers struct {
	c    *bin.Cursor
	addr uint64 // of the section, whose offsets the cursor counts
	data uint64 // what datarel is relative to; 0 when not known
	text uint64 // what textrel is relative to; 0 when not known
	word int    // bytes of an absolute pointer
}

// read reads a pointer. An indirect pointer, or one relative to an unknown address, is an error.
func (p *pointers) read(enc byte) uint64 {
	at := uint64(p.c.Offset()) + p.addr
	if enc&encIndirect != 0 {
		p.c.Fail("pointer encoding %#x is indirect", enc)
		return 0
	}
	var base uint64
	switch enc & encBase {
	case baseNone:
	case basePC:
		base = at
	case baseText:
		base = p.known(p.text, "the code")
	case baseData:
		base = p.known(p.data, "the data")
	case baseAligned:
		p.c.Skip(int(-at & uint64(p.word-1)))
		enc = encAbsolute
	default: // 0x40, relative to the function, is for exception tables: here the function is what is asked for
		p.c.Fail("pointer encoding %#x has no meaning here", enc)
	}
	return p.mask(base + p.value(enc))
}

func (p *pointers) known(base uint64, what string) uint64 {
	if base == 0 {
		p.c.Fail("a pointer is relative to %s, whose address is not known", what)
	}
	return base
}

// value reads the value of a pointer, without what it is relative to.
func (p *pointers) value(enc byte) uint64 {
	switch enc & encFormat {
	case 0x0, 0x8: // a word, without and with a sign
		return p.absolute()
	case 0x1:
		return uleb(p.c)
	case 0x2:
		return uint64(p.c.U16())
	case 0x3:
		return uint64(p.c.U32())
	case 0x4, 0xc:
		return p.c.U64()
	case 0x9:
		return uint64(sleb(p.c))
	case 0xa:
		return uint64(int16(p.c.U16()))
	case 0xb:
		return uint64(int32(p.c.U32()))
	}
	p.c.Fail("pointer encoding %#x has no meaning", enc)
	return 0
}

func (p *pointers) absolute() uint64 {
	switch p.word {
	case 2:
		return uint64(p.c.U16())
	case 4:
		return uint64(p.c.U32())
	}
	return p.c.U64()
}

func (p *pointers) mask(v uint64) uint64 {
	if p.word == 4 {
		return v & 0xffff_ffff
	}
	return v
}

// uleb reads an unsigned LEB128 number. Bits above the 64th are an error.
func uleb(c *bin.Cursor) uint64 {
	var v uint64
	for shift := 0; ; shift += 7 {
		b := c.U8()
		if shift > 63 || shift == 63 && b&0x7f > 1 {
			c.Fail("a number has more than 64 bits")
			return 0
		}
		v |= uint64(b&0x7f) << shift
		if b&0x80 == 0 {
			return v
		}
	}
}

// sleb reads a signed LEB128 number.
func sleb(c *bin.Cursor) int64 {
	var v int64
	for shift := 0; ; shift += 7 {
		b := c.U8()
		if shift > 63 {
			c.Fail("a number has more than 64 bits")
			return 0
		}
		v |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 && shift < 57 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
}
