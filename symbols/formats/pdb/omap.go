package pdb

import (
	"sort"

	"crashglass/core/base/bin"
)

// An omapEntry has the new address of the code from an address on, up to the next entry.
//
// Source: OMAP of https://learn.microsoft.com/windows/win32/api/dbghelp/ns-dbghelp-omap
type omapEntry struct{ from, to uint32 }

// parseOMAP reads a table. An unsorted table cannot be searched, and counts as missing.
func parseOMAP(c *bin.Cursor) ([]omapEntry, error) {
	out := make([]omapEntry, 0, c.Len()/8)
	for c.Len() >= 8 {
		e := omapEntry{c.U32(), c.U32()}
		if n := len(out); n > 0 && e.from < out[n-1].from {
			c.Fail("address %#x follows %#x", e.from, out[n-1].from)
			return nil, c.Err()
		}
		out = append(out, e)
	}
	return out, c.Err()
}

// A run is code that was moved as one, with the changes after it.
type run struct {
	from, to, size uint32 // internal address, address in the image
	injected       uint32 // bytes of the image behind it that are from nowhere
	removed        uint32 // internal addresses behind it that are gone
}

// A mapping is the combination of both OMAP tables.
//
// Breakpad's dump_syms puts it together in the same way, so that functions have
// the ranges that they have in its symbol files: BuildMapping in
// src/common/windows/omap.cc.
type mapping struct {
	image  []run    // in the order of the image
	source []run    // in the order of internal addresses; these have removed
	reach  []uint64 // where the last of the runs up to each of source ends
	work   *bin.Budget
}

// newMapping makes a mapping. End is the end of the program as it was linked: code from after it
// was added to the image later. Syzygy writes 0xffffffff there, and other tools 0x80000000.
func newMapping(fromSource, toSource []omapEntry, end uint64) *mapping {
	m := &mapping{work: bin.NewBudget(leastMapping + mappingPerRun*int64(len(fromSource)+len(toSource)))}
	m.header(fromSource, toSource)
	m.runs(toSource, end)
	m.source = append(m.source, m.image...)
	sort.Slice(m.source, func(i, j int) bool {
		a, b := m.source[i], m.source[j]
		return a.from < b.from || a.from == b.from && a.size < b.size
	})
	m.findRemoved()
	m.reach = make([]uint64, len(m.source))
	reach := uint64(0)
	for i, r := range m.source {
		reach = max(reach, r.end()+uint64(r.removed))
		m.reach[i] = reach
	}
	return m
}

// header adds the beginning of the image, which the tables leave out.
func (m *mapping) header(fromSource, toSource []omapEntry) {
	if len(fromSource) == 0 || len(toSource) == 0 {
		return
	}
	if size := min(fromSource[0].from, toSource[0].from); size > 0 {
		m.image = append(m.image, run{size: size})
	}
}

// runs adds a run for each entry that leads into the program as it was linked. An entry with the
// address 0 means that the location of its code is unknown: unlike added code, it ends a function.
func (m *mapping) runs(toSource []omapEntry, end uint64) {
	open := true
	for i, e := range toSource {
		size := end - min(uint64(e.to), end)
		if i+1 < len(toSource) {
			size = min(size, uint64(toSource[i+1].from-e.from))
		}
		if e.to == 0 && e.from != 0 {
			open = false
			continue
		}
		if size == 0 {
			continue
		}
		if n := len(m.image); n > 0 && open {
			last := &m.image[n-1]
			last.injected = e.from - (last.to + last.size)
		}
		m.image = append(m.image, run{from: e.to, to: e.from, size: uint32(size)})
		open = true
	}
}

// findRemoved finds what is gone between runs. Runs that end where a gap
// begins are those that it is behind of.
func (m *mapping) findRemoved() {
	filled, front := 0, uint64(0)
	for i, r := range m.source {
		if start := uint64(r.from); front < start {
			for ; filled < i; filled++ {
				if m.source[filled].end() == front {
					m.source[filled].removed = uint32(start - front)
				}
			}
		}
		front = r.end()
	}
}

// end is the internal address behind a run.
func (r run) end() uint64 { return uint64(r.from) + uint64(r.size) }

// at is the run that an address of the image is in, or behind of.
func (m *mapping) at(rel uint32) (run, bool) {
	i := sort.Search(len(m.image), func(i int) bool { return m.image[i].to > rel }) - 1
	if i < 0 {
		return run{}, false
	}
	return m.image[i], true
}

// internal is the internal address of an address of the image. For code that
// was added it is that of the last byte before.
func (m *mapping) internal(rel uint32) (rva uint32, injected, ok bool) {
	r, ok := m.at(rel)
	off := uint64(rel - r.to)
	switch {
	case !ok || off >= uint64(r.size)+uint64(r.injected):
		return 0, false, false
	case off >= uint64(r.size):
		return r.from + r.size - 1, true, true
	}
	return r.from + uint32(off), false, true
}
