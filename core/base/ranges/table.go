// Package ranges finds the range of an address. Ranges may overlap, repeat and have a wrong size.
// Modules, memory regions, functions, lines, inlined calls and unwind tables follow one rule:
//
//   - Of the ranges that cover an address, the one that starts last has it.
//   - Of several that start at one address, the first given has it, or the
//     last given where a table says so.
//
// So a range with a wrong size takes no address from the ranges inside it, and a range around
// others keeps the addresses between them. Breakpad keeps the first of two overlapping records and
// drops the other; rust-minidump keeps the lower. Both then have no answer for addresses that only
// the dropped record covers.
//
// A [Table] is built once: ranges are added in any order, and Finish divides overlapping ones into
// disjoint pieces, at most twice as many. A lookup is a binary search, however the ranges overlap.
// A row takes 12 bytes, or 24 once a number needs more than 32 bits. Nothing here reads a file.
//
// Read this file first, then divide.go, which gives each address one owner, order.go, which sorts,
// and grid.go, which stores the rows.
package ranges

// A Range is a run of addresses with the number of its owner.
type Range struct {
	Start, Size uint64 // the size is not zero, and Last does not wrap
	Value       int64
}

// Last is the last address of the range, which may be the highest address.
func (r Range) Last() uint64 { return lastOf(r.Start, r.Size) }

func lastOf(start, size uint64) uint64 { return start + (size - 1) }

// A Table maps addresses to ranges. The zero value is empty.
type Table struct {
	// LastAdded says that of ranges with one start the last given one gets the addresses, not the
	// first.
	LastAdded bool

	rows     Grid   // start, size and value of each range
	disorder bool   // some range starts below its predecessor
	overlap  bool   // some range starts inside its predecessor
	start    uint64 // of the latest range
	last     uint64 // its last address
}

// Add adds a range. A range of size zero is left out, and one that wraps ends with the address
// space. A value must not be negative. Values should ascend, as indexes and offsets do: see
// maxOrder.
func (t *Table) Add(start, size uint64, value int64) {
	if size == 0 {
		return
	}
	last := lastOf(start, size)
	if last < start {
		last = ^uint64(0)
		size = last - start + 1
	}
	if start < t.start {
		t.disorder = true
	} else if start <= t.last && t.rows.n > 0 {
		t.overlap = true
	}
	t.start, t.last = start, last
	t.rows.Add(3, start, size, uint64(value))
}

// Reset empties the table, and keeps its memory.
func (t *Table) Reset() {
	t.rows.Reset()
	*t = Table{rows: t.rows, LastAdded: t.LastAdded}
}

// Join adds the ranges of another table.
func (t *Table) Join(next *Table) {
	for i := range next.Len() {
		r := next.Range(i)
		t.Add(r.Start, r.Size, r.Value)
	}
}

// Overlaps says how the ranges of a table overlap.
type Overlaps struct {
	Inside int    // ranges that start inside another one, or at the start of one with another size
	First  uint64 // the start of the first such range
	Same   int    // repeated ranges, with the same start and size
}

// Finish makes the table ready for lookups. It may be called again after more ranges were added; it
// then treats the pieces as ranges.
func (t *Table) Finish() (o Overlaps) {
	if t.disorder {
		t.rows.Order()
	}
	if t.disorder || t.overlap {
		o = t.overlaps()
	}
	if o != (Overlaps{}) {
		*t = Table{rows: t.divide(), LastAdded: t.LastAdded}
	}
	if t.disorder, t.overlap = false, false; t.Len() > 0 {
		r := t.Range(t.Len() - 1)
		t.start, t.last = r.Start, r.Last()
	}
	return o
}

// overlaps examines the sorted rows.
func (t *Table) overlaps() (o Overlaps) {
	var before Range
	var top uint64 // the highest address of the ranges so far
	for i := range t.Len() {
		r := t.Range(i)
		switch {
		case i > 0 && r.Start == before.Start && r.Size == before.Size:
			o.Same++
		case i > 0 && r.Start <= top:
			if o.Inside++; o.Inside == 1 {
				o.First = r.Start
			}
		}
		before, top = r, max(top, r.Last())
	}
	return o
}

// Len returns the number of ranges, or of pieces once the table is finished.
func (t *Table) Len() int { return t.rows.n }

// Range returns the i-th range, or piece of one. Pieces are sorted by address.
func (t *Table) Range(i int) Range {
	return Range{t.rows.At(i, 0), t.rows.At(i, 1), int64(t.rows.At(i, 2))}
}

// UpTo returns the number of pieces that start at or below an address.
func (t *Table) UpTo(addr uint64) int { return t.rows.UpTo(addr) }

// Find returns the piece that contains an address, with the value of its range.
func (t *Table) Find(addr uint64) (Range, bool) {
	if i := t.UpTo(addr) - 1; i >= 0 {
		if r := t.Range(i); addr-r.Start < r.Size {
			return r, true
		}
	}
	return Range{}, false
}

// Rows returns the numbers in the table: start, size and value of each range.
func (t *Table) Rows() *Grid { return &t.rows }

// Bytes returns the size of the table in memory.
func (t *Table) Bytes() int { return t.rows.Bytes() }
