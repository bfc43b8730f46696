package pdb

import (
	"encoding/binary"

	"crashglass/core/base/bin"
	"crashglass/symbols/search"
)

// A contribList is the list of section contributions, which is in the order of
// addresses.
type contribList struct {
	search.List
	pages     *bin.Pager
	off, size int64
}

// maxListPages bounds the pages of a list that are kept, in bytes.
const maxListPages = 1 << 20

// open finds the list, and reports whether it looks as if it were in order.
func (o *contribList) open(f *File) bool {
	d := &f.dbi
	if d.s == nil || d.contribs.size < 4 {
		return false
	}
	c, err := d.s.cursor(d.contribs.off, 4)
	if err != nil {
		return false
	}
	size, ok := contribSizes[c.U32()]
	if !ok {
		return false
	}
	o.pages = bin.NewPager(d.s.what, d.s.source(), maxListPages)
	o.off, o.size = d.contribs.off+4, int64(size)
	o.List = search.List{Count: (d.contribs.size - 4) / o.size, Number: func(n int64) (uint64, bool) {
		p, ok := o.at(f, n)
		return uint64(p.start), ok
	}}
	return o.Count > 0 && o.Ascends()
}

// A contribution is an entry of the list.
type contribution struct {
	start, end uint32
	module     int
	code       bool
}

// at reads an entry.
func (o *contribList) at(f *File, n int64) (p contribution, ok bool) {
	data, err := o.pages.Bytes(o.off+n*o.size, uint64(o.size))
	if err != nil {
		return p, false
	}
	sect, off, size := binary.LittleEndian.Uint16(data), binary.LittleEndian.Uint32(data[4:]), binary.LittleEndian.Uint32(data[8:])
	start, ok := f.addr.rva(sect, off)
	return contribution{start, endOf(start, size), int(binary.LittleEndian.Uint16(data[16:])), f.addr.isCode(sect)}, ok
}

// around is how many entries before and behind one must be in order.
const around = 4

// owner is the module that the code at an address is of. It reports false where
// no entry covers it, and where entries near it overlap or are in no order.
func (o *contribList) owner(f *File, rva uint32) (module int, ok bool) {
	next, ok := o.From(uint64(rva) + 1)
	if !ok {
		return 0, false
	}
	var end uint32
	for n := max(next-1-around, 0); n < min(next+around, o.Count); n++ {
		p, ok := o.at(f, n)
		if !ok || p.start < end {
			return 0, false
		}
		if end = p.end; n == next-1 {
			module = p.module
			if rva >= p.end || !p.code {
				return 0, false
			}
		}
	}
	return module, next > 0
}
