package cfi

import (
	"fmt"
	"slices"

	"crashglass/core/base/bin"
)

// maxEntry is how many bytes one entry may have. The longest known is of code
// that pushes its arguments all the time, and has some ten thousand.
const maxEntry = 1 << 18

// An entry is a CIE or an FDE whose body is not parsed.
type entry struct {
	at   int64  // offset in the section
	id   uint64 // of a CIE, or what leads to an FDE's
	idAt int64  // offset of id
	wide bool   // id has eight bytes
	body int64  // offset of what follows id
	end  int64
}

// isTerminator reports whether the entry is a length of zero and no more.
func (e entry) isTerminator() bool { return e.end-e.at == 4 }

// entryAt reads the length and id of an entry. A length of zero, where
// .eh_frame ends, is an entry without a body.
//
// The id has four bytes in .eh_frame always; in .debug_frame it has the
// length's size. LSB Core 5.0, section 10.6.1.1; DWARF 5, section 7.4.
func (p *entrySection) entryAt(off int64) (entry, error) {
	head, err := p.pages.Bytes(off, uint64(min(20, max(p.Data.Size()-off, 4))))
	if err != nil {
		return entry{}, p.wrap(err)
	}
	c := bin.NewOrderedCursor(p.name+" entry", off, head, p.t.s.Order)
	e := entry{at: off}
	bad := func(format string, args ...any) (entry, error) {
		return entry{}, p.wrap(&bin.Error{What: p.name + " entry", Off: off, Why: fmt.Sprintf(format, args...)})
	}
	length := uint64(c.U32())
	if length == 0 {
		e.body, e.end = off+4, off+4
		return e, p.wrap(c.Err())
	}
	wide := length == 0xffff_ffff
	if wide {
		length = c.U64()
	} else if length >= 0xffff_fff0 {
		return bad("length %#x is reserved", length)
	}
	e.idAt, e.wide = c.Offset(), wide && !p.eh
	if left := uint64(p.Data.Size() - e.idAt); length > left {
		return bad("length %#x exceeds the %#x bytes that are left", length, left)
	}
	e.end = e.idAt + int64(length)
	if e.wide {
		e.id = c.U64()
	} else {
		e.id = uint64(c.U32())
	}
	if e.body = c.Offset(); e.body > e.end {
		return bad("length %#x leaves no room for an id", length)
	}
	return e, p.wrap(c.Err())
}

func (p *entrySection) isCIE(e entry) bool {
	switch {
	case p.eh:
		return e.id == 0
	case e.wide:
		return e.id == 1<<64-1
	}
	return e.id == 0xffff_ffff
}

// cieOf is the offset of an FDE's CIE.
func (p *entrySection) cieOf(e entry) int64 {
	if p.eh {
		return e.idAt - int64(e.id)
	}
	return int64(e.id)
}

// bodyOf reads an entry's body, or as much of it as limit, for an FDE.
func (p *entrySection) bodyOf(what string, e entry, limit uint64) (*bin.Cursor, error) {
	size := uint64(e.end - e.body)
	if size > maxEntry {
		return nil, p.wrap(&bin.Error{What: p.name + " " + what, Off: e.at,
			Why: fmt.Sprintf("%d bytes, more than %d", size, maxEntry)})
	}
	data, err := p.pages.Bytes(e.body, min(size, limit))
	if err != nil {
		return nil, p.wrap(err)
	}
	return bin.NewOrderedCursor(p.name+" "+what, e.body, data, p.t.s.Order), nil
}

func (p *entrySection) pointers(c *bin.Cursor, word int) pointers {
	return pointers{c: c, addr: p.Addr, data: p.t.s.Got, text: p.t.s.Text, word: word}
}

func (p *entrySection) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cfi: %w", err)
}

// An fde describes one range of code.
type fde struct {
	part  *entrySection
	cie   *cie
	at    int64
	start uint64 // an address of the file
	size  uint64

	program  []byte
	codeAt   int64 // its offset in the section
	handlers bool  // it has a language-specific data area
}

func (p *entrySection) fdeAt(off int64) (*fde, error) {
	e, err := p.entryAt(off)
	if err != nil {
		return nil, err
	}
	if e.body == e.end || p.isCIE(e) {
		return nil, p.wrap(&bin.Error{What: p.name + " FDE", Off: off, Why: "is no FDE"})
	}
	return p.parseFDE(e, maxEntry)
}

// maxPlace bounds what an FDE has before its program: its address range, behind a segment.
const maxPlace = 8 + 2*10 + 16

// parseFDE reads an FDE, for an index only up to its program.
func (p *entrySection) parseFDE(e entry, limit uint64) (*fde, error) {
	shared, err := p.cieAt(p.cieOf(e))
	if err != nil {
		return nil, err
	}
	c, err := p.bodyOf("FDE", e, limit)
	if err != nil {
		return nil, err
	}
	f := &fde{part: p, cie: shared, at: e.at}
	c.Skip(shared.segment)
	ptr := p.pointers(c, shared.word)
	f.start = ptr.read(shared.enc)
	f.size = ptr.mask(ptr.value(sizeEncoding(shared.enc)))
	if limit < maxEntry {
		return f, p.wrap(c.Err())
	}
	if shared.sized {
		if size := uleb(c); size > uint64(c.Len()) {
			c.Fail("%d bytes of augmentation data, and %d are left", size, c.Len())
		} else {
			area := c.Bytes(int(size))
			f.handlers = shared.handlers && slices.ContainsFunc(area, func(b byte) bool { return b != 0 })
		}
	}
	f.codeAt = c.Offset()
	f.program = c.Bytes(c.Len())
	return f, p.wrap(c.Err())
}

// sizeEncoding is the encoding of an FDE's size: that of its address, without
// what that is relative to.
func sizeEncoding(enc byte) byte {
	if enc&encBase == baseAligned {
		return encAbsolute
	}
	return enc & encFormat
}

// isCode reports whether an FDE describes code of the file. One of no bytes
// does not. Nor does one at address 0, or at the first byte of the image,
// where every format has its header: a linker has dropped its function.
func (f *fde) isCode() bool {
	t := f.part.t
	last := f.start + f.size - 1
	return f.size > 0 && f.start > t.s.Base && last >= f.start && last == t.mask(last)
}

// ifCovers is the FDE, or nil where it does not cover an address.
func (f *fde) ifCovers(addr uint64) *fde {
	if f == nil || !f.isCode() || addr-f.start >= f.size {
		return nil
	}
	return f
}
