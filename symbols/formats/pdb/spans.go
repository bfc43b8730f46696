package pdb

import "crashglass/core/base/ranges"

// A PDB's addresses have 32 bits, and its runs of code an end that is not part
// of them.

// addRun adds a run of code to a table, if it has any.
func addRun(t *ranges.Table, start, end uint32, value int) {
	if start < end {
		t.Add(uint64(start), uint64(end-start), int64(value))
	}
}

// startsIn reports whether a piece of a table starts at a to b, both included.
func startsIn(t *ranges.Table, a, b uint32) bool {
	i := t.UpTo(uint64(b)) - 1
	return i >= 0 && t.Range(i).Start >= uint64(a)
}

// endOf is start+size, or the highest address when that does not fit.
func endOf(start, size uint32) uint32 {
	if end := start + size; end >= start {
		return end
	}
	return ^uint32(0)
}
