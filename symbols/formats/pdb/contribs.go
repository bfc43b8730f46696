package pdb

import (
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/symbols/search"
)

// Versions of the list of section contributions, which are the sizes of its
// entries: DBISCImpvV60 and DBISCImpv2 of microsoft-pdb.
var contribSizes = map[uint32]int64{
	0xeffe0000 + 19970605: 28,
	0xeffe0000 + 20140516: 32, // with the number of the section in the object file
}

// A browser has millions; the bytes of all would be in memory beside the table that is made of them.
const contribsRead = 1 << 14

// contributionsAt finds the list of contributions in the stream, and the size of its entries, which is 0 if
// there is no list.
//
// Spec: https://llvm.org/docs/PDB/DbiStream.html#section-contribution-substream
func (d *dbi) contributionsAt() (at, size int64, err error) {
	if d.s == nil || d.contribs.size < 4 {
		return 0, 0, nil
	}
	c, err := d.s.cursor(d.contribs.off, 4)
	if err != nil {
		return 0, 0, err
	}
	version := c.U32()
	size, ok := contribSizes[version]
	if !ok {
		return 0, 0, &bin.Error{What: "section contributions of " + d.s.what, Off: d.contribs.off, Why: fmt.Sprintf("unknown version %#x", version)}
	}
	return d.contribs.off + 4, size, nil
}

// A contribution is a part that the linker took from an object file.
type contribution struct {
	start, end uint32
	module     int
	code       bool
}

// contribution parses an entry: SC or SC2 of microsoft-pdb's dbicommon.h.
func (a *addressMap) contribution(data []byte) (contribution, bool) {
	sect, off, size := binary.LittleEndian.Uint16(data), binary.LittleEndian.Uint32(data[4:]), binary.LittleEndian.Uint32(data[8:])
	start, ok := a.rva(sect, off)
	return contribution{start, endOf(start, size), int(binary.LittleEndian.Uint16(data[16:])), a.isCode(sect)}, ok
}

// contributions reads the module of each range that is wanted.
func (d *dbi) contributions(t *ranges.Table, a *addressMap, wanted func(contribution) bool) error {
	at, size, err := d.contributionsAt()
	if err != nil || size == 0 {
		return err
	}
	for end := d.contribs.off + d.contribs.size; at+size <= end; {
		data, err := d.s.read(at, uint64(min((end-at)/size, contribsRead)*size))
		if err != nil {
			return err
		}
		for at += int64(len(data)); len(data) > 0; data = data[size:] {
			if p, ok := a.contribution(data); ok && wanted(p) {
				addRun(t, p.start, p.end, p.module)
			}
		}
	}
	return nil
}

// owners are the contributions, and the module that each is of.
func (f *File) owners() *ranges.Table {
	if f.contribs == nil {
		t := &ranges.Table{}
		f.notes.error(f.dbi.contributions(t, &f.addr, func(p contribution) bool { return p.code }))
		if t.Len() == 0 {
			f.procedures(t)
		}
		t.Finish()
		f.contribs = t
	}
	return f.contribs
}

// procedures replaces the contributions if there are none.
func (f *File) procedures(t *ranges.Table) {
	for i := range f.mods() {
		u := f.unit(i)
		for _, fn := range u.funcs {
			addRun(t, fn.start, fn.end, i)
		}
	}
}

// A contribList is the list of section contributions, which is in the order of
// addresses.
type contribList struct {
	search.List
	pages     *bin.Pager
	off, size int64 // of the first entry, of each
}

// maxListPages bounds the pages of a list that are kept, in bytes.
const maxListPages = 1 << 20

// open finds the list, and reports whether it looks as if it were in order.
func (o *contribList) open(f *File) bool {
	d := &f.dbi
	var err error
	if o.off, o.size, err = d.contributionsAt(); err != nil || o.size == 0 {
		return false
	}
	o.pages = bin.NewPager(d.s.what, d.s.source(), maxListPages)
	o.List = search.List{Count: (d.contribs.size - 4) / o.size, Number: func(n int64) (uint64, bool) {
		p, ok := o.at(f, n)
		return uint64(p.start), ok
	}}
	return o.Count > 0 && o.Ascends()
}

func (o *contribList) at(f *File, n int64) (p contribution, ok bool) {
	data, err := o.pages.Bytes(o.off+n*o.size, uint64(o.size))
	if err != nil {
		return p, false
	}
	return f.addr.contribution(data)
}

// around is how many entries before and behind one must be in order.
const around = 4

// owner reports false where no entry covers it, and where entries near it overlap or are in no order.
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
