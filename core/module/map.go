package module

import (
	"cmp"
	"slices"
)

// A Map finds the module that an address belongs to.
//
// Where modules overlap, the one with the lower base is cut at the next base,
// on every operating system: Android's packed relocations and mappings that
// were read while they changed make such lists, and losing the whole list (as
// Breakpad does outside Linux) or the later module (as rust-minidump does)
// loses frames.
type Map struct {
	modules []Module
	spans   []span // sorted by start, disjoint
	cut     []Cut
}

type span struct {
	start, last uint64 // inclusive, so that a span may end at the top of the address space
	index       int
}

// A Cut says that a module's range was shortened, or dropped, because another begins inside it.
type Cut struct {
	Index int // of the shortened module, in the order given to NewMap
	By    int // of the module that it overlaps
	At    uint64
}

// NewMap indexes a list of modules by what belongs to each (see [Module.Span]).
// Modules of size zero are kept in the list but own no address.
func NewMap(modules []Module) *Map {
	m := &Map{modules: modules}
	for i := range modules {
		mod := &modules[i]
		if mod.Span() == 0 {
			continue
		}
		last := mod.Base + (mod.Span() - 1)
		if last < mod.Base { // wraps: the range ends with the address space
			last = ^uint64(0)
		}
		m.spans = append(m.spans, span{mod.Base, last, i})
	}
	// Of two modules with one base the larger comes first and keeps nothing
	// of its own: the same file listed twice.
	slices.SortStableFunc(m.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.last, a.last))
	})
	m.cutOverlaps()
	return m
}

func (m *Map) cutOverlaps() {
	kept := m.spans[:0]
	for _, s := range m.spans {
		if n := len(kept); n > 0 && kept[n-1].last >= s.start {
			prev := &kept[n-1]
			if prev.start == s.start { // the same base again: the first one stays
				m.cut = append(m.cut, Cut{Index: s.index, By: prev.index, At: s.start})
				continue
			}
			if m.modules[prev.index].Size > s.start-prev.start { // more than mapped memory is lost
				m.cut = append(m.cut, Cut{Index: prev.index, By: s.index, At: s.start})
			}
			prev.last = s.start - 1
		}
		kept = append(kept, s)
	}
	m.spans = kept
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
	i, exact := slices.BinarySearchFunc(m.spans, addr, func(s span, a uint64) int { return cmp.Compare(s.start, a) })
	if !exact {
		i--
	}
	if i < 0 || addr > m.spans[i].last {
		return -1
	}
	return m.spans[i].index
}

// Modules returns the modules in the order given to NewMap.
func (m *Map) Modules() []Module {
	if m == nil {
		return nil
	}
	return m.modules
}

// Highest is the last address that belongs to any module, or 0.
func (m *Map) Highest() uint64 {
	if m == nil || len(m.spans) == 0 {
		return 0
	}
	return m.spans[len(m.spans)-1].last
}

// Cuts lists the ranges that were shortened.
func (m *Map) Cuts() []Cut {
	if m == nil {
		return nil
	}
	return m.cut
}
