package cfi

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/search"
)

// fromTable is the index in .eh_frame_hdr, or nil if there is no usable one.
func (p *entrySection) fromTable() *ranges.Table {
	if !p.eh || p.t.s.EHFrameHdr.Data.Size() == 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.headed == nil && !p.noHead {
		x, err := p.readHeader()
		p.t.note(err)
		p.headed, p.noHead = x, err != nil
	}
	return p.headed
}

// tableEncoding is the one that linkers write and unwinders search: pairs of
// four signed bytes, relative to the header.
const tableEncoding = baseData | 0xb

// A tablePlace is the location of the pairs of the search table.
type tablePlace struct {
	off   int64
	count uint64
}

// tablePlace reads the header of the search table. LSB Core 5.0, section 10.6.2.
func (p *entrySection) tablePlace() (at tablePlace, err error) {
	s := p.t.s.EHFrameHdr
	head, err := s.Data.ReadUpTo(hdrName, 0, 4+2*10)
	if err != nil {
		return at, p.wrap(err)
	}
	c := bin.NewOrderedCursor(hdrName, 0, head, p.t.s.Order)
	ptr := pointers{c: c, addr: s.Addr, data: s.Addr, text: p.t.s.Text, word: p.t.s.Word}
	if version := c.U8(); version != 1 {
		c.Fail("version %d, want 1", version)
	}
	frameEnc, countEnc, tableEnc := c.U8(), c.U8(), c.U8()
	frames := ptr.read(frameEnc)
	if c.Err() == nil && frames != p.Addr {
		c.Fail("it is of a section at %#x, and .eh_frame is at %#x", frames, p.Addr)
	}
	if countEnc == encOmit || tableEnc != tableEncoding {
		c.Fail("the table's encoding %#x cannot be searched", tableEnc)
	}
	count := ptr.read(countEnc)
	left := uint64(s.Data.Size() - c.Offset())
	if count > left/8 {
		c.Fail("%d entries of a table, and %d bytes are left", count, left)
	}
	if c.Err() != nil {
		return at, p.wrap(c.Err())
	}
	return tablePlace{c.Offset(), count}, nil
}

// hdrName is the section of the search table.
const hdrName = ".eh_frame_hdr"

func (p *entrySection) readHeader() (*ranges.Table, error) {
	at, err := p.tablePlace()
	if err != nil {
		return nil, err
	}
	return p.readTable(hdrName, at.off, at.count)
}

// readTable reads the pairs of a first address and an FDE's, which have to ascend.
func (p *entrySection) readTable(what string, off int64, count uint64) (*ranges.Table, error) {
	data, err := p.t.s.EHFrameHdr.Data.Read(what, off, count*8)
	if err != nil {
		return nil, p.wrap(err)
	}
	c := bin.NewOrderedCursor(what, off, data, p.t.s.Order)
	x := &ranges.Table{}
	base := p.t.s.EHFrameHdr.Addr
	var last, before, value uint64 // of the pair before: the address, the same counted from the base, the FDE's offset
	for n := range count {
		at := c.Offset()
		start := p.t.mask(base + uint64(int32(c.U32())))
		fde := p.t.mask(base + uint64(int32(c.U32())))
		rel, where := start-p.t.s.Base, fde-p.Addr
		why := ""
		switch {
		case start < last:
			why = fmt.Sprintf("%#x follows %#x: the table is not sorted", start, last)
		case rel >= spaceSize:
			why = fmt.Sprintf("%#x lies outside of the image at %#x", start, p.t.s.Base)
		case where >= min(uint64(p.Data.Size()), 1<<32):
			why = fmt.Sprintf("an FDE at %#x lies outside of .eh_frame", fde)
		}
		if why != "" {
			return nil, p.wrap(&bin.Error{What: what, Off: at, Why: why})
		}
		if n > 0 {
			x.Add(before, rel-before, int64(value)) // nothing where several begin at one address: the last counts
		}
		last, before, value = start, rel, where
	}
	if count > 0 {
		x.Add(before, spaceSize-before, int64(value))
	}
	x.Finish()
	return x, nil
}

// In a large search table one entry is searched. The result is certain if the FDE begins at the
// address in the table and covers the wanted address; otherwise the whole table is read.

// maxPagesKept bounds the pages of a section that are kept, in bytes.
const maxPagesKept = 1 << 20

// A headerList is the pairs of a search table, which are not read as a whole.
type headerList struct {
	search.List
	p     *entrySection
	off   int64
	pages *bin.Pager
}

// searched returns the FDE that the search table has for an address, nil if not certain.
func (p *entrySection) searched(addr uint64) *fde {
	l := p.headerList()
	if l == nil {
		return nil
	}
	n, ok := l.From(addr + 1)
	if !ok || n == 0 {
		return nil
	}
	first, at, ok := l.pair(n - 1)
	if !ok || at >= uint64(p.Data.Size()) || first > addr {
		return nil
	}
	f, err := p.fdeAt(int64(at))
	if err != nil || f.start != first {
		return nil
	}
	return f.ifCovers(addr)
}

// headerList is nil once the whole table was read, or if there is none.
func (p *entrySection) headerList() *headerList {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.headed != nil || p.noHead || !p.eh || p.t.s.EHFrameHdr.Data.Size() == 0 {
		return nil
	}
	if p.list == nil {
		at, err := p.tablePlace()
		if err != nil {
			return nil // fromTable notes it
		}
		l := &headerList{p: p, off: at.off, pages: bin.NewPager(hdrName, p.t.s.EHFrameHdr.Data, maxPagesKept)}
		l.List = search.List{Count: int64(at.count), Number: func(n int64) (uint64, bool) {
			start, _, ok := l.pair(n)
			return start, ok
		}}
		p.list = l
	}
	return p.list
}

// pair is an entry of the table: a first address, and where the FDE is.
func (l *headerList) pair(n int64) (start, at uint64, ok bool) {
	data, err := l.pages.Bytes(l.off+8*n, 8)
	if err != nil {
		return 0, 0, false
	}
	t, p := l.p.t, l.p
	c := bin.NewOrderedCursor(hdrName, l.off+8*n, data, t.s.Order)
	base := t.s.EHFrameHdr.Addr
	start = t.mask(base + uint64(int32(c.U32())))
	return start, t.mask(base+uint64(int32(c.U32()))) - p.Addr, true
}

// First returns the first rules in the sections, for callers that only ask whether there are any.
func (t *Table) First() (table *unwind.CallFrameTable) {
	work := newWork(t.s)
	for _, p := range t.parts {
		p.eachFDE(func(e entry) bool {
			if f, err := p.fdeAt(e.at); err == nil && f.isCode() && !work.Exceeded() {
				table = t.table(f, work)
			}
			return table == nil
		})
		if table != nil {
			break
		}
	}
	return table
}
