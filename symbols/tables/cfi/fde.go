package cfi

import "crashglass/core/base/bin"

// An fde describes one range of code.
type fde struct {
	part  *entrySection
	cie   *cie
	at    int64
	start uint64 // an address of the file
	size  uint64

	program []byte
	codeAt  int64 // its offset in the section
}

// fdeAt reads an FDE with its program.
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
			c.Skip(int(size))
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

// covers reports whether an address is one of the FDE's.
func (f *fde) covers(addr uint64) bool { return f.isCode() && addr-f.start < f.size }

// ifCovers is the FDE, or nil where it does not cover an address.
func (f *fde) ifCovers(addr uint64) *fde {
	if f == nil || !f.covers(addr) {
		return nil
	}
	return f
}
