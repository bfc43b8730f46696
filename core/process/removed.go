package process

import (
	"cmp"
	"slices"

	"crashglass/core/base/sorting"
)

// A Removed is the parts of a file whose bytes its writer removed, with zeros or asterisks in their
// place. The parts are sorted and disjoint.
type Removed []Location

// Asterisks are the placeholder of a word that was filled with characters of ASCII.
const Asterisks = 0x2a2a_2a2a_2a2a_2a2a

// NewRemoved sorts and joins parts of a file.
func NewRemoved(parts []Location) (out Removed) {
	parts = slices.Clone(parts)
	sorting.Stable(parts, func(a, b Location) int { return cmp.Compare(a.RVA, b.RVA) })
	for _, p := range parts {
		p.Size = min(p.Size, ^uint64(0)-p.RVA)
		if n := len(out); n > 0 && p.RVA <= out[n-1].RVA+out[n-1].Size {
			out[n-1].Size = max(out[n-1].Size, p.RVA+p.Size-out[n-1].RVA)
		} else if p.Size > 0 {
			out = append(out, p)
		}
	}
	return out
}

// Has reports whether any of size bytes at an offset were removed.
func (r Removed) Has(off, size uint64) bool { return r.intact(off, size) < size }

// from returns the index of the first part that ends behind an offset.
func (r Removed) from(off uint64) int {
	i, _ := slices.BinarySearchFunc(r, off, func(p Location, off uint64) int { return cmp.Compare(p.RVA+p.Size-1, off) })
	return i
}

// intact returns the number of bytes at an offset up to the next removed one, at most size.
func (r Removed) intact(off, size uint64) uint64 {
	i := r.from(off)
	if i == len(r) {
		return size
	}
	return min(size, max(r[i].RVA, off)-off)
}

// lost returns the number of bytes at an offset up to the next one that was not removed.
func (r Removed) lost(off uint64) uint64 {
	if i := r.from(off); i < len(r) && r[i].RVA <= off {
		return r[i].RVA + r[i].Size - off
	}
	return 0
}

// Without returns the memory with bytes of the file that were removed: they cannot be read, but still
// belong to captured memory, so that a stack has its extent.
func (m *Memory) Without(removed Removed) *Memory {
	if m == nil {
		return nil
	}
	out := *m
	out.removed = removed
	return &out
}

// Placeholders returns the memory with the bytes that the file has in place of removed ones, or nil if
// none were removed.
func (m *Memory) Placeholders() *Memory {
	if m == nil || m.removed == nil {
		return nil
	}
	return m.Without(nil)
}

// mostParts bounds the runs that removed bytes divide: many ranges of memory may share them.
const mostParts = 1 << 18

// parts are the runs of captures without their removed bytes.
func (m *Memory) parts() (out []run) {
	for _, s := range m.spans {
		for at, n := s.base, s.last-s.base; len(out) < mostParts; {
			off := uint64(s.off) + (at - s.base)
			have := m.removed.intact(off, n)
			if have == n && !m.removed.Has(off+n, 1) { // n is the distance to the last byte
				have++
			}
			switch k := len(out); {
			case have == 0:
			case k > 0 && out[k-1].last+1 == at:
				out[k-1].last = at + have - 1
			default:
				out = append(out, run{at, at + have - 1})
			}
			lost := m.removed.lost(off + have)
			if have+lost > n || have+lost == 0 {
				break
			}
			at, n = at+have+lost, n-have-lost
		}
	}
	return out
}

// Lost returns the parts of a file from an offset on whose bytes do not stay.
func Lost(stays []bool, off uint64) (out []Location) {
	for i := 0; i < len(stays); i++ {
		from := i
		for i < len(stays) && !stays[i] {
			i++
		}
		if i > from {
			out = append(out, Location{RVA: off + uint64(from), Size: uint64(i - from)})
		}
	}
	return out
}
