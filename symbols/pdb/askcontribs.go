package pdb

import (
	"bytes"
	"encoding/binary"

	"crashglass/core/bin"
)

// A contribOrder is the list of section contributions, which is in the order of
// addresses, and is not read.
type contribOrder struct {
	pages       *bin.Pager
	off         int64
	size, count int64
}

// maxOrderHeld bounds the pages of a list that are kept.
const maxOrderHeld = 1 << 20

// open finds the list, and reports whether it looks as if it were in order.
func (o *contribOrder) open(f *File) bool {
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
	o.pages = bin.NewPager(d.s.what, d.s.source(), maxOrderHeld)
	o.off, o.size = d.contribs.off+4, int64(size)
	o.count = (d.contribs.size - 4) / o.size
	return o.count > 0 && ascend(o.count, func(n int64) (uint64, bool) {
		p, ok := o.at(f, n)
		return uint64(p.start), ok
	})
}

// A contribution is an entry of the list.
type contribution struct {
	start, end uint32
	module     int
	code       bool
}

// at reads an entry.
func (o *contribOrder) at(f *File, n int64) (p contribution, ok bool) {
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
func (o *contribOrder) owner(f *File, rva uint32) (module int, ok bool) {
	low, high := int64(0), o.count // entries from high on begin above
	for low < high {
		mid := (low + high) / 2
		p, ok := o.at(f, mid)
		if !ok {
			return 0, false
		}
		if p.start <= rva {
			low = mid + 1
		} else {
			high = mid
		}
	}
	var end uint32
	for n := max(low-1-around, 0); n < min(low+around, o.count); n++ {
		p, ok := o.at(f, n)
		if !ok || p.start < end {
			return 0, false
		}
		if end = p.end; n == low-1 {
			module = p.module
			if rva >= p.end || !p.code {
				return 0, false
			}
		}
	}
	return module, low > 0
}

// A modReader reads the list of modules from its beginning.
type modReader struct {
	list []mod

	taken streamSet
	next  int64 // in the list
	done  bool
}

// modsAtOnce is how much of the list is read at once.
const modsAtOnce = 256 << 10

// modsUpTo reads the list until it has entry i.
func (f *File) modsUpTo(i int) []mod {
	r := &f.modReader
	for !r.done && len(r.list) <= i {
		f.moreMods(r)
	}
	return r.list
}

// moreMods reads a piece of the list. An entry that it ends in is read with the
// next one.
func (f *File) moreMods(r *modReader) {
	left := f.dbi.modules.size - r.next
	n := min(left, modsAtOnce)
	raw, err := f.dbi.s.read(f.dbi.modules.off+r.next, uint64(max(n, 0)))
	if err != nil || n <= 0 {
		r.done = true
		return
	}
	c := bin.NewCursor("module list of "+f.dbi.s.what, f.dbi.modules.off+r.next, raw)
	read := 0
	for c.Len() > 0 {
		m := parseModule(c, len(raw))
		if c.Err() != nil || c.Len() == 0 && n < left {
			break
		}
		read = len(raw) - c.Len()
		r.list = append(r.list, r.taken.first(m))
	}
	r.next += int64(read)
	r.done = read == 0 || r.next >= f.dbi.modules.size
}

// linkerUnit is the module that the linker wrote about itself, nil where there is
// none. It is the last in its list, so only the end of that is looked at.
func (f *File) linkerUnit() *unit {
	if m, ok := f.lastModule(linkerModule); ok {
		return f.readModule(-1, m)
	}
	i, ok := f.moduleNamed(linkerModule)
	if !ok {
		return nil
	}
	return f.unit(i)
}

// moduleHead is what an entry of the list has before its name.
const moduleHead = 64

// lastModule reads the last entry of the list, if that is a module with a name.
func (f *File) lastModule(name string) (m mod, ok bool) {
	if f.dbi.s == nil || f.modList != nil {
		return m, false
	}
	size := min(f.dbi.modules.size, 4<<10)
	raw, err := f.dbi.s.read(f.dbi.modules.off+f.dbi.modules.size-size, uint64(size))
	if err != nil {
		return m, false
	}
	at := bytes.LastIndex(raw, append([]byte(name), 0)) - moduleHead
	if at < 0 || (int64(at)-size+f.dbi.modules.size)%4 != 0 {
		return m, false
	}
	c := bin.NewCursor("last module", 0, raw[at:])
	m = parseModule(c, len(raw)-at)
	return m, c.Err() == nil && c.Len() == 0
}
