package module

import (
	"cmp"

	"crashglass/core/base/ranges"
	"crashglass/core/base/sorting"
)

// A Map finds the module that an address belongs to.
//
// If modules overlap, the one with the higher base gets the addresses that both cover, on every
// operating system, and the other one keeps the rest. Android's packed relocations, and mappings
// that changed while they were read, cause such lists. Breakpad (outside Linux) drops the whole
// list, and rust-minidump the later module; both lose frames.
type Map struct {
	modules []Module
	byAddr  ranges.Table // of positions in modules
	cut     []Cut
}

// A Cut records that a module lost a part of its range, or all of it, to another one.
type Cut struct {
	Index    int // the module that lost addresses, in the order given to NewMap
	By       int // the module that has them
	At, Last uint64
}

// NewMap indexes a list of modules by the range of each (see [Module.Span]). Modules of size zero
// stay in the list but contain no address.
func NewMap(modules []Module) *Map {
	m := &Map{modules: modules}
	var list []ranges.Range
	for i := range modules {
		if r := m.extent(i); r.Size > 0 {
			list = append(list, r)
		}
	}
	// Of two modules with one base the larger one gets all addresses: the same file is listed
	// twice.
	sorting.Stable(list, func(a, b ranges.Range) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.Size, a.Size))
	})
	for _, r := range list {
		m.byAddr.Add(r.Start, r.Size, r.Value)
	}
	if m.byAddr.Finish() != (ranges.Overlaps{}) {
		m.findCuts(list)
	}
	return m
}

// extent returns the range of a module. One that wraps ends with the address space.
func (m *Map) extent(i int) ranges.Range {
	r := ranges.Range{Start: m.modules[i].Base, Size: m.modules[i].Span(), Value: int64(i)}
	if r.Start > 0 {
		r.Size = min(r.Size, -r.Start)
	}
	return r
}

// findCuts finds the modules that lost addresses: all but the first of those with one base, and
// each within which another one begins.
func (m *Map) findCuts(list []ranges.Range) {
	for i, r := range list {
		if i > 0 && list[i-1].Start == r.Start {
			m.cut = append(m.cut, Cut{int(r.Value), m.IndexAt(r.Start), r.Start, r.Last()})
			continue
		}
		if r.Start == 0 {
			continue
		}
		// Of the modules around r the one that begins last loses addresses to
		// it. The others have lost theirs before.
		index := m.IndexAt(r.Start - 1)
		if index < 0 || !m.modules[index].Contains(r.Start) {
			continue
		}
		if around := m.extent(index); m.modules[index].Size > r.Start-around.Start { // it lost more than the part beyond its own size
			m.cut = append(m.cut, Cut{index, int(r.Value), r.Start, min(r.Last(), around.Last())})
		}
	}
}

// At returns the module that addr lies in, or nil.
func (m *Map) At(addr uint64) *Module {
	if i := m.IndexAt(addr); i >= 0 {
		return &m.modules[i]
	}
	return nil
}

// IndexAt returns the position of the module that addr lies in, in the order
// given to NewMap, or -1.
func (m *Map) IndexAt(addr uint64) int {
	if m == nil {
		return -1
	}
	r, ok := m.byAddr.Find(addr)
	if !ok {
		return -1
	}
	return int(r.Value)
}

// Modules returns the modules in the order given to NewMap.
func (m *Map) Modules() []Module {
	if m == nil {
		return nil
	}
	return m.modules
}

// Highest returns the last address of any module, or 0.
func (m *Map) Highest() uint64 {
	if m == nil || m.byAddr.Len() == 0 {
		return 0
	}
	return m.byAddr.Range(m.byAddr.Len() - 1).Last()
}

// Cuts returns the losses of modules to others, sorted by address.
func (m *Map) Cuts() []Cut {
	if m == nil {
		return nil
	}
	return m.cut
}
