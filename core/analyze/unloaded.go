package analyze

import (
	"cmp"
	"slices"

	"crashglass/core/base/sorting"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// maxUnloaded bounds the unloaded modules that are listed for one address. The list is a log: a
// module that is loaded repeatedly has many entries. Entries with one address count once.
const maxUnloaded = 64

// An unloadedMap finds the unloaded modules at an address. The time grows with the number of
// matches, not with the length of the list.
type unloadedMap struct {
	list []*module.Module // by base
	last []uint64         // the highest last address in the subtree
}

// newUnloadedMap returns the map of a list. Modules of size 0, which contain no address, are left
// out.
func newUnloadedMap(mods []module.Module) unloadedMap {
	var m unloadedMap
	for i := range mods {
		if mods[i].Size > 0 {
			m.list = append(m.list, &mods[i])
		}
	}
	sorting.Stable(m.list, func(a, b *module.Module) int { return cmp.Compare(a.Base, b.Base) })
	m.last = make([]uint64, len(m.list))
	m.build(0, len(m.list))
	return m
}

// build makes a balanced search tree of the entries from lo to hi. Its root is the middle entry.
func (m *unloadedMap) build(lo, hi int) uint64 {
	if lo >= hi {
		return 0
	}
	mid := (lo + hi) / 2
	last := m.list[mid].Base + (m.list[mid].Size - 1)
	if last < m.list[mid].Base { // wraps: the range ends with the address space
		last = ^uint64(0)
	}
	m.last[mid] = max(last, m.build(lo, mid), m.build(mid+1, hi))
	return m.last[mid]
}

// at calls visit for the modules at an address, by base, until it says no.
func (m *unloadedMap) at(addr uint64, visit func(*module.Module) bool) {
	m.search(0, len(m.list), addr, visit)
}

// search visits the matches among the entries from lo to hi. It reports whether visit wants more.
func (m *unloadedMap) search(lo, hi int, addr uint64, visit func(*module.Module) bool) bool {
	if lo >= hi {
		return true
	}
	mid := (lo + hi) / 2
	if m.last[mid] < addr {
		return true
	}
	if !m.search(lo, mid, addr, visit) {
		return false
	}
	if m.list[mid].Base > addr {
		return true
	}
	if m.list[mid].Contains(addr) && !visit(m.list[mid]) {
		return false
	}
	return m.search(mid+1, hi, addr, visit)
}

// unloadedAt lists the unloaded modules that had the address, by name, each with all its offsets.
func (a *analysis) unloadedAt(addr uint64) []report.UnloadedModule {
	offsets := map[string][]uint64{}
	n := 0
	a.unloadedMap.at(addr, func(m *module.Module) bool {
		offset := addr - m.Base
		if !slices.Contains(offsets[m.CodeFile], offset) {
			offsets[m.CodeFile] = append(offsets[m.CodeFile], offset)
			n++
		}
		return n < maxUnloaded
	})
	var out []report.UnloadedModule
	for _, name := range sortedKeys(offsets) {
		slices.Sort(offsets[name])
		u := report.UnloadedModule{Module: name}
		for _, off := range offsets[name] {
			u.Offsets = append(u.Offsets, a.addr(off))
		}
		out = append(out, u)
	}
	return out
}
