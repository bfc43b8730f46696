package cfi

import (
	"bytes"
	"sync"

	"crashglass/core/base/bin"
)

// maxCIE is how many bytes of a CIE are read. Few have more than thirty.
const maxCIE = 4096

// A cie has the rules that several functions share.
type cie struct {
	at        int64
	word      int // bytes of an address
	segment   int // bytes of a segment selector in front of one
	codeAlign uint64
	dataAlign int64
	ra        uint64 // the register that the return address is in
	enc       byte   // how an FDE's pointers are encoded
	sized     bool   // an FDE has augmentation data, with its size
	signal    bool   // the functions are entered by a signal
	handlers  bool   // the functions may have a language-specific data area

	program []byte // instructions
	codeAt  int64  // their offset in the section

	once   sync.Once
	start  row   // what the instructions make
	failed error // a defect in them
}

// cieAt returns the CIE at an unchecked offset.
func (p *entrySection) cieAt(off int64) (*cie, error) {
	if c, ok := p.cies.Get(off); ok {
		return c, nil
	}
	if off < 0 || off >= p.Data.Size() {
		return nil, p.wrap(&bin.Error{What: p.name + " CIE", Off: off, Why: "lies outside of the section"})
	}
	e, err := p.entryAt(off)
	if err != nil {
		return nil, err
	}
	if e.body == e.end || !p.isCIE(e) {
		return nil, p.wrap(&bin.Error{What: p.name + " CIE", Off: off, Why: "is no CIE"})
	}
	c, err := p.bodyOf("CIE", e, maxCIE)
	if err != nil {
		return nil, err
	}
	out := p.parseCIE(c)
	out.at = off
	if c.Err() != nil {
		return nil, p.wrap(c.Err())
	}
	p.cies.Put(off, out, 1)
	return out, nil
}

// Versions: .eh_frame has 1, and 3 where the return address needs more than a byte; .debug_frame has 1, 3 and 4.
func (p *entrySection) parseCIE(c *bin.Cursor) *cie {
	out := &cie{word: p.t.s.Word, enc: encAbsolute}
	version := c.U8()
	if version != 1 && version != 3 && version != 4 {
		c.Fail("version %d, want 1, 3 or 4", version)
	}
	augmentation := text(c)
	if bytes.HasPrefix(augmentation, []byte("eh")) {
		c.Skip(out.word) // a pointer of GCC 2's exception handling
		augmentation = augmentation[2:]
	}
	if version == 4 {
		out.word, out.segment = int(c.U8()), int(c.U8())
		if out.word != 2 && out.word != 4 && out.word != 8 || out.segment > 8 {
			c.Fail("addresses of %d bytes behind segments of %d", out.word, out.segment)
		}
	}
	out.codeAlign, out.dataAlign = uleb(c), sleb(c)
	if version == 1 {
		out.ra = uint64(c.U8())
	} else {
		out.ra = uleb(c)
	}
	p.augment(out, c, augmentation)
	out.codeAt = c.Offset()
	out.program = bytes.Clone(c.Bytes(c.Len())) // not all of what was read with it
	return out
}

// augment reads the augmentation data by a CIE's augmentation string. Each letter decides how the
// rest is read, so an unknown letter is an error.
func (p *entrySection) augment(out *cie, c *bin.Cursor, letters []byte) {
	if string(letters) == "armcc+" { // says that saved registers are where they are said to be
		return
	}
	end := int64(-1)
	ptr := p.pointers(c, out.word)
	for i, letter := range letters {
		if i > 0 && !out.sized && letter != 'S' {
			c.Fail("augmentation %q does not begin with z", letters)
		}
		switch letter {
		case 'z':
			out.sized = true
			size := uleb(c)
			if size > uint64(c.Len()) {
				c.Fail("%d bytes of augmentation data, and %d are left", size, c.Len())
				return
			}
			end = c.Offset() + int64(size)
		case 'R':
			out.enc = c.U8()
		case 'L':
			c.U8()
			out.handlers = true
		case 'P':
			p.skipPersonality(&ptr)
		case 'S':
			out.signal = true
		case 'B', 'G': // arm64: the return address is signed with key B; the stack is tagged
		default:
			c.Fail("augmentation %q is not known", letters)
		}
	}
	if end >= 0 {
		skipTo(c, end)
	}
}

// skipPersonality steps over a pointer whose value does not matter.
func (p *entrySection) skipPersonality(ptr *pointers) {
	enc := ptr.c.U8()
	switch {
	case enc == encOmit:
	case enc&encBase == baseAligned:
		ptr.read(baseAligned)
	default:
		ptr.value(enc)
	}
}

// skipTo moves to an offset that must not have been passed.
func skipTo(c *bin.Cursor, end int64) {
	if c.Offset() > end {
		c.Fail("augmentation data ends at %#x", end)
		return
	}
	c.Skip(int(end - c.Offset()))
}

// text reads a string that ends in a zero.
func text(c *bin.Cursor) []byte {
	var out []byte
	for b := c.U8(); b != 0; b = c.U8() {
		if out = append(out, b); len(out) > 16 {
			c.Fail("augmentation %q is not known", out)
		}
	}
	return out
}
