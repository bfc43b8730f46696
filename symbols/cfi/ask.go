package cfi

import (
	"crashglass/core/bin"
	"crashglass/core/unwind"
)

// In a large search table one entry is searched. The result is certain if the FDE begins at the
// address in the table and covers the wanted address; otherwise the whole table is read.

// maxHdrHeld bounds the pages of a search table that are kept.
const maxHdrHeld = 1 << 20

// An askedTable is a search table that is searched and not read.
type askedTable struct {
	tablePlace
	pages *bin.Pager
}

// asked returns the FDE that the search table has for an address, nil if not certain.
func (p *entrySection) asked(addr uint64) *fde {
	t := p.askedTable()
	if t == nil {
		return nil
	}
	first, at, ok := t.find(p, addr)
	if !ok {
		return nil
	}
	f, err := p.fdeAt(int64(at))
	if err != nil || f.start != first {
		return nil
	}
	return f.ifCovers(addr)
}

// askedTable is nil once the whole table was read, or if there is none.
func (p *entrySection) askedTable() *askedTable {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.headed != nil || p.noHead || !p.eh || p.t.s.EHFrameHdr.Data.Size() == 0 {
		return nil
	}
	if p.askable == nil {
		at, err := p.tablePlace()
		if err != nil {
			return nil // fromTable notes it
		}
		p.askable = &askedTable{at, bin.NewPager(hdrName, p.t.s.EHFrameHdr.Data, maxHdrHeld)}
	}
	return p.askable
}

// find bisects the table. The addresses of an entry and of the one after it must enclose the wanted
// address.
func (t *askedTable) find(p *entrySection, addr uint64) (first, at uint64, ok bool) {
	low, high := uint64(0), t.count // entries from high on begin above
	var end uint64
	for low < high {
		mid := (low + high) / 2
		start, where, ok := t.pair(p, mid)
		if !ok {
			return 0, 0, false
		}
		if start <= addr {
			low, first, at = mid+1, start, where
		} else {
			high, end = mid, start
		}
	}
	return first, at, low > 0 && at < uint64(p.Data.Size()) && (high == t.count || addr < end)
}

// pair is an entry of the table: a first address, and where the FDE is.
func (t *askedTable) pair(p *entrySection, n uint64) (start, at uint64, ok bool) {
	data, err := t.pages.Bytes(t.off+int64(8*n), 8)
	if err != nil {
		return 0, 0, false
	}
	c := bin.NewOrderedCursor(hdrName, t.off+int64(8*n), data, p.t.s.Order)
	base := p.t.s.EHFrameHdr.Addr
	start = p.t.mask(base + uint64(int32(c.U32())))
	return start, p.t.mask(base+uint64(int32(c.U32()))) - p.Addr, true
}

// First returns the first rules in the sections, for callers that only ask whether there are any.
func (t *Table) First() (table *unwind.CallFrameTable) {
	work := newWork(t.s)
	for _, p := range t.parts {
		p.eachFDE(func(_ reader, e entry) bool {
			if f, err := p.fdeAt(e.at); err == nil && f.isCode() && !work.Over() {
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
