package macho

import (
	"cmp"
	"encoding/binary"
	"slices"

	"crashglass/core/base/bin"
)

// Encodings, as far as all CPUs have them.
const (
	notFunctionStart = 0x8000_0000
	modeMask         = 0x0f00_0000

	pageRegular    = 2
	pageCompressed = 3
)

// An entry says how the code from start on is unwound, up to the next entry.
// Functions that follow each other and are unwound the same way share one.
type entry struct {
	start    uint32
	encoding uint32
}

// A compact is the content of __unwind_info.
type compact struct {
	entries []entry // in the order of addresses
	end     uint32  // of the last one
}

// A unwindInfo is __unwind_info while it is read.
type unwindInfo struct {
	data   []byte
	at     int64
	order  binary.ByteOrder
	common []uint32
	out    *compact
	left   int // words of pages that may still be read
}

// readCompact reads all of __unwind_info: an index of pages, and the pages.
//
// Layout: mach-o/compact_unwind_encoding.h.
func (f *File) readCompact() *compact {
	src := f.section("__unwind_info")
	if src.Size() == 0 || f.cpuFrames() == nil {
		return &compact{}
	}
	data, err := src.Read("macho: section __unwind_info", 0, uint64(src.Size()))
	if err != nil {
		f.note("%v", err)
		return &compact{}
	}
	at := f.at + int64(f.find("__unwind_info").off)
	u := unwindInfo{data: data, at: at, order: f.h.order, out: &compact{}}
	u.read(f)
	return u.out
}

func (u *unwindInfo) cursor(what string, off uint64) *bin.Cursor {
	off = min(off, uint64(len(u.data)))
	return bin.NewOrderedCursor("macho: "+what+" of __unwind_info", u.at+int64(off), u.data[off:], u.order)
}

// read reads the header and the index. Its last entry has no page; it says
// where the code of the last page ends.
func (u *unwindInfo) read(f *File) {
	u.left = len(u.data) / 4
	c := u.cursor("header", 0)
	version := c.U32()
	commonAt, commonCount := c.U32(), c.U32()
	c.Skip(8) // personality functions
	indexAt, indexCount := c.U32(), c.U32()
	if version != 1 && c.Err() == nil {
		c.Fail("version %d, want 1", version)
	}
	if err := c.Err(); err != nil {
		f.note("%v", err)
		return
	}
	u.common = words(u.cursor("common encodings", uint64(commonAt)), commonCount)
	index := u.cursor("index", uint64(indexAt))
	if uint64(indexCount)*12 > uint64(index.Len()) {
		f.note("macho: index of __unwind_info at %#x: %d entries, there is room for %d", index.Offset(), indexCount, index.Len()/12)
		return
	}
	var start, page uint32
	for i := range indexCount {
		if u.left < 0 {
			f.note("macho: index of __unwind_info at %#x: entry %d is not read: the pages before it have more entries than there is room for", index.Offset(), i)
			return
		}
		next, nextPage := index.U32(), index.U32()
		index.U32() // exception tables
		if i > 0 {
			u.readPage(f, start, next, page)
			u.out.end = max(u.out.end, next)
		}
		start, page = next, nextPage
	}
}

// words reads as many encodings as there are, up to n.
func words(c *bin.Cursor, n uint32) []uint32 {
	n = uint32(min(uint64(n), uint64(c.Len()/4)))
	out := make([]uint32, n)
	for i := range out {
		out[i] = c.U32()
	}
	return out
}

// A page with an entry out of order is skipped, because it is unknown which entry is wrong.
func (u *unwindInfo) readPage(f *File, start, end, page uint32) {
	what := "page for the code at " + hex(start)
	c := u.cursor(what, uint64(page))
	before := len(u.out.entries)
	switch kind := c.U32(); {
	case page == 0: // no function there needs unwinding
		u.out.entries = append(u.out.entries, entry{start: start})
	case kind == pageRegular:
		u.regular(c, page)
	case kind == pageCompressed:
		u.compressed(c, page, start)
	case c.Err() == nil:
		c.Fail("a page of kind %d", kind)
	}
	added := u.out.entries[before:]
	inOrder := slices.IsSortedFunc(added, func(a, b entry) int { return cmp.Compare(a.start, b.start) })
	if c.Err() == nil && (!inOrder || start > end || len(added) > 0 && (added[0].start < start || added[len(added)-1].start >= end)) {
		c.Fail("entries that are not in order, or not between %#x and %#x", start, end)
	}
	if c.Err() == nil && before > 0 && start < u.out.entries[before-1].start {
		c.Fail("it comes after one for the code at %#x", u.out.entries[before-1].start)
	}
	// Pages may not be read again and again: an entry takes four bytes.
	if c.Err() == nil && len(u.out.entries) > len(u.data)/4 {
		c.Fail("more entries than the section has room for")
	}
	if err := c.Err(); err != nil {
		f.note("%v", err)
		u.out.entries = append(u.out.entries[:before], entry{start: start})
		if before > 0 && start < u.out.entries[before-1].start || len(u.out.entries) > len(u.data)/4 {
			u.out.entries = u.out.entries[:before]
		}
	}
}

// spend bounds how much is read of pages. Many entries of a damaged index may name one page, which
// would be read again for each.
func (u *unwindInfo) spend(c *bin.Cursor, words int) {
	if u.left -= words; u.left < 0 {
		c.Fail("pages with more entries than there is room for")
	}
}

// regular reads a page of addresses with encodings.
func (u *unwindInfo) regular(c *bin.Cursor, page uint32) {
	at, count := c.U16(), c.U16()
	entries := u.cursor("regular page", uint64(page)+uint64(at))
	if need := 8 * int(count); c.Err() == nil && need > entries.Len() {
		c.Fail("%d entries, there is room for %d", count, entries.Len()/8)
	}
	u.spend(c, 2*int(count))
	for i := 0; i < int(count) && c.Err() == nil; i++ {
		u.out.entries = append(u.out.entries, entry{entries.U32(), entries.U32()})
	}
}

// compressed reads a page of words: 24 bits of address, relative to the page's,
// and 8 that number an encoding, first the common ones, then the page's own.
func (u *unwindInfo) compressed(c *bin.Cursor, page, start uint32) {
	at, count := c.U16(), c.U16()
	ownAt, ownCount := c.U16(), c.U16()
	entries := u.cursor("compressed page", uint64(page)+uint64(at))
	own := words(u.cursor("compressed page", uint64(page)+uint64(ownAt)), uint32(ownCount))
	if need := 4 * int(count); c.Err() == nil && need > entries.Len() {
		c.Fail("%d entries, there is room for %d", count, entries.Len()/4)
	}
	u.spend(c, int(count)+len(own))
	for i := 0; i < int(count) && c.Err() == nil; i++ {
		word := entries.U32()
		number := int(word >> 24)
		e := entry{start: start + word&0xff_ffff}
		switch {
		case number < len(u.common):
			e.encoding = u.common[number]
		case number-len(u.common) < len(own):
			e.encoding = own[number-len(u.common)]
		default:
			c.Fail("encoding %d, there are %d", number, len(u.common)+len(own))
		}
		u.out.entries = append(u.out.entries, e)
	}
}

// find returns the entry of an address, and where the next one begins.
func (c *compact) find(rel uint64) (e entry, end uint64, ok bool) {
	if rel >= uint64(c.end) {
		return entry{}, 0, false
	}
	i, same := slices.BinarySearchFunc(c.entries, uint32(rel), func(e entry, rel uint32) int { return cmp.Compare(e.start, rel) })
	for same && i+1 < len(c.entries) && c.entries[i+1].start == uint32(rel) {
		i++
	}
	if !same {
		i--
	}
	if i < 0 {
		return entry{}, 0, false
	}
	return c.entries[i], c.endOf(i), true
}

// endOf is where an entry's code ends.
func (c *compact) endOf(i int) uint64 {
	if i+1 < len(c.entries) {
		return uint64(c.entries[i+1].start)
	}
	return uint64(c.end)
}
