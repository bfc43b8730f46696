package process

import "sync/atomic"

// A Mapper translates addresses by page tables. Its pages are never listed: there may be millions.
type Mapper interface {
	// Map returns the file offset of the page of an address, and reports whether the file has it.
	Map(page uint64) (off int64, ok bool)
	// Next returns the first page at or above an address that the file has. It reads at most budget entries of tables: where they
	// ran out, it returns the page to continue from, and false. Behind the last page it returns 0.
	Next(page uint64, budget *int) (next uint64, ok bool)
	// Total returns the number of bytes of all pages.
	Total() uint64
}

// MapperPage is the size of the pages of a [Mapper].
const MapperPage = 4 << 10

// NewMappedMemory is the memory of a file with page tables. Its lists are empty.
func NewMappedMemory(pages *Pager, tables Mapper) *Memory {
	return &Memory{pages: pages, pageTables: tables, lastRun: &atomic.Pointer[run]{}, total: tables.Total()}
}

// maxMapped bounds, in each direction, the memory around an address that page tables are read for.
const maxMapped = 1 << 20

// longestRun bounds a run of RunsFrom. It is more than one search reads, so that no pattern lies across two runs.
const longestRun = 65 << 20

// mapped is Range by the page tables. Walks ask for the same stack again and again.
func (m *Memory) mapped(addr uint64) (base, size uint64, ok bool) {
	if r := m.lastRun.Load(); r != nil && r.base <= addr && addr <= r.last {
		return r.base, r.last - r.base + 1, true
	}
	page := addr &^ (MapperPage - 1)
	if !m.has(page) {
		return 0, 0, false
	}
	r := run{page, page + MapperPage - 1}
	for r.base >= MapperPage && page-r.base < maxMapped && m.has(r.base-MapperPage) {
		r.base -= MapperPage
	}
	for r.last+1 != 0 && r.last-page < maxMapped && m.has(r.last+1) {
		r.last += MapperPage
	}
	m.lastRun.Store(&r)
	return r.base, r.last - r.base + 1, true
}

// ByPageTables reports whether page tables say what was captured.
func (m *Memory) ByPageTables() bool { return m != nil && m.pageTables != nil }

// RunsFrom calls see with runs of captured memory from an address on, until it returns false or the memory ends. Runs of page tables have at
// most longestRun bytes, so that a neighbour may follow at once. It reads a bounded part of the tables, and returns the address to
// continue from, 0 at the end.
func (m *Memory) RunsFrom(from uint64, see func(base, last uint64) bool) (next uint64) {
	if !m.ByPageTables() {
		for _, r := range m.Runs() {
			if last := r.Base + r.Size - 1; last >= from && !see(max(r.Base, from), last) {
				break
			}
		}
		return 0
	}
	budget := 1 << 20
	for page := from &^ (MapperPage - 1); ; {
		base, ok := m.pageTables.Next(page, &budget)
		if !ok {
			return base
		}
		last := base + MapperPage - 1
		for last+1 != 0 && last-base < longestRun && m.has(last+1) {
			last += MapperPage
		}
		if page = last + 1; !see(max(base, from), last) || page == 0 {
			return 0
		}
	}
}

func (m *Memory) has(page uint64) bool {
	_, ok := m.pageTables.Map(page)
	return ok
}

// fill is Read from mapped pages.
func (m *Memory) fill(addr uint64, p []byte) int {
	done := 0
	for done < len(p) {
		at := addr + uint64(done)
		in := at % MapperPage
		off, ok := m.pageTables.Map(at - in)
		if !ok {
			break
		}
		n := min(uint64(len(p)-done), MapperPage-in)
		got := m.pages.Fill(p[done:done+int(n)], off+int64(in))
		done += got
		if uint64(got) < n {
			break
		}
	}
	return done
}

// nextMapped is Next by the page tables.
func (m *Memory) nextMapped(addr uint64) (uint64, bool) {
	page := addr &^ (MapperPage - 1)
	if m.has(page) {
		return addr, true
	}
	next := page + MapperPage
	return next, next != 0
}
