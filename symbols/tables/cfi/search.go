package cfi

import (
	"crashglass/core/base/bin"
	"crashglass/core/stack/unwind"
	"crashglass/symbols/search"
)

// In a large search table one entry is searched. The result is certain if the FDE begins at the
// address in the table and covers the wanted address; otherwise the whole table is read.

// maxPagesKept bounds the pages of a search table that are kept, in bytes.
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
		p.eachFDE(func(_ reader, e entry) bool {
			if f, err := p.fdeAt(e.at); err == nil && f.isCode() && !work.Over() {
				table = t.table(f, work, &changes{})
			}
			return table == nil
		})
		if table != nil {
			break
		}
	}
	return table
}
