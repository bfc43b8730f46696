package kernel

import (
	"crashglass/core/process"
)

// A level is one level of page tables: the bits of an address that index it, and whether its entries may be pages.
type level struct {
	shift, bits uint
	large       bool
}

// A paging is a kind of page tables. Each has at most five levels, so that tables which refer to themselves end a walk, too.
type paging struct {
	levels  []level
	entry   int
	root    uint64              // the bits of the root that are an address
	address uint64              // the bits of an entry that are one
	valid   func(e uint64) bool // an entry refers to a table or a page
	page    func(e uint64) bool // an entry of an upper level is a page
	waiting func(e uint64) bool // the page is about to be reused, and still has its contents
}

// The kinds of page tables. Sources: Intel SDM, volume 3, 4.3 to 4.5; Arm ARM, D8.3; MMPTE_TRANSITION of Windows' symbols
// (bit 11 without bit 10, which marks a prototype).
var (
	intel = paging{
		entry: 8, root: 0x000f_ffff_ffff_f000, address: 0x000f_ffff_ffff_f000,
		valid: func(e uint64) bool { return e&1 != 0 }, page: func(e uint64) bool { return e&0x80 != 0 },
		waiting: func(e uint64) bool { return e&0xc01 == 0x800 },
	}
	fourLevels  = []level{{shift: 39, bits: 9}, {shift: 30, bits: 9, large: true}, {shift: 21, bits: 9, large: true}, {shift: 12, bits: 9}}
	fiveLevels  = append([]level{{shift: 48, bits: 9}}, fourLevels...)
	paeLevels   = []level{{shift: 30, bits: 2}, {shift: 21, bits: 9, large: true}, {shift: 12, bits: 9}}
	shortLevels = []level{{shift: 22, bits: 10, large: true}, {shift: 12, bits: 10}}
)

// arm is the 4 KiB granule of arm64. Windows has one table for both halves of the address space.
func arm() paging {
	return paging{
		levels: fourLevels, entry: 8, root: 0x0000_ffff_ffff_f000, address: 0x0000_ffff_ffff_f000,
		valid: intel.valid, page: func(e uint64) bool { return e&2 == 0 }, waiting: func(uint64) bool { return false },
	}
}

// tables translate addresses by the page tables of a dump.
type tables struct {
	paging
	pages    *process.Pager
	physical *physical
	base     uint64
	width    uint // of an address, in bits
}

func newTables(pages *process.Pager, in *physical, h *header) *tables {
	t := &tables{paging: intel, pages: pages, physical: in, base: h.PageTables, width: 64}
	t.levels = fourLevels
	switch {
	case h.Machine == 0xaa64:
		t.paging = arm()
	case h.layout.word == 4 && h.PAE:
		t.levels, t.root, t.width = paeLevels, 0xffff_ffe0, 32
	case h.layout.word == 4:
		t.levels, t.entry, t.root, t.address, t.width = shortLevels, 4, 0xffff_f000, 0xffff_f000, 32
	}
	return t
}

// choose takes five levels if four translate none of the kernel's own addresses, and five do: the header does not say.
func (t *tables) choose(addrs ...uint64) {
	if len(t.levels) != 4 || t.root != intel.root {
		return
	}
	works := func(levels []level) bool {
		t.levels = levels
		for _, a := range addrs {
			if _, ok := t.Map(a &^ (pageSize - 1)); ok && a != 0 {
				return true
			}
		}
		return false
	}
	if !works(fourLevels) && !works(fiveLevels) {
		t.levels = fourLevels
	}
}

// Map returns the place of a page.
func (t *tables) Map(addr uint64) (int64, bool) {
	if t.width < 64 && addr>>t.width != 0 {
		return 0, false
	}
	table := t.base & t.root
	for i, l := range t.levels {
		e, ok := t.read(table + (addr>>l.shift)&(1<<l.bits-1)*uint64(t.entry))
		last := i == len(t.levels)-1
		if !ok || !t.valid(e) && !(last && t.waiting(e)) {
			return 0, false
		}
		if table = e & t.address; last || l.large && t.page(e) {
			in := addr & (1<<l.shift - 1)
			return t.physical.offset((table&^(1<<l.shift-1) | in) / pageSize)
		}
	}
	return 0, false
}

// Next implements process.Mapper. A table without a page is skipped as a whole. Addresses between the two halves of the address space
// are none.
func (t *tables) Next(page uint64, budget *int) (uint64, bool) {
	top := t.levels[0].shift + t.levels[0].bits
	for *budget > 0 {
		if half := uint64(1) << (top - 1); t.width == 64 && page >= half && page < -half {
			page = -half
		}
		skip := t.skip(page, budget)
		if skip == 0 {
			return page, true
		}
		if page = (page | (1<<skip - 1)) + 1; page == 0 || t.width < 64 && page>>t.width != 0 {
			return 0, false
		}
	}
	return page, false
}

// skip returns 0 if the file has the page, or the number of low bits of the addresses around it of which it has none.
func (t *tables) skip(page uint64, budget *int) uint {
	table := t.base & t.root
	for i, l := range t.levels {
		e, ok := t.read(table + (page>>l.shift)&(1<<l.bits-1)*uint64(t.entry))
		*budget--
		last := i == len(t.levels)-1
		if !ok || !t.valid(e) && !(last && t.waiting(e)) {
			return l.shift
		}
		if table = e & t.address; last || l.large && t.page(e) {
			break
		}
	}
	if _, ok := t.Map(page); ok {
		return 0
	}
	return 12
}

func (t *tables) read(at uint64) (v uint64, ok bool) {
	off, ok := t.physical.offset(at / pageSize)
	var b [8]byte
	if !ok || t.pages.Fill(b[:t.entry], off+int64(at%pageSize)) < t.entry {
		return 0, false
	}
	return order.Uint64(b[:]), true
}

// Total returns the bytes of all pages.
func (t *tables) Total() uint64 { return t.physical.count * pageSize }
