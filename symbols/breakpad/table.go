package breakpad

// A table knows which record covers an address: of those that do, the one
// that starts last, and of several that start there, the first in the file.
//
// So a record with a lying size takes nothing away from the records inside
// it, and no record is lost. Breakpad keeps the first of two overlapping
// records and drops the other; rust-minidump keeps the lower. Both then have no
// name for addresses that only the dropped record covers. In 400 files we
// found functions overlap in one: an object file whose sections all start at 0.
// STACK WIN records overlap in every file that has them, nested by intention,
// and for them both programs also take the innermost.
type table struct {
	grid // of start, size and offset of the record

	disorder bool   // some record starts below its predecessor
	overlap  bool   // some record starts inside its predecessor
	last     uint64 // start of the latest record
	end      uint64 // and its end
}

// add appends the record at file offset off. The size must not be zero, and
// start+size-1 must not wrap.
func (t *table) add(start, size uint64, off int64) {
	if start < t.last {
		t.disorder = true
	} else if start < t.end {
		t.overlap = true
	}
	t.last, t.end = start, lastOf(start, size)+1
	if t.end == 0 { // reaches the top of the address space
		t.end--
	}
	t.grid.add(3, start, size, uint64(off))
}

// lastOf is the last address of a range, which may be the very last there is.
func lastOf(start, size uint64) uint64 { return start + (size - 1) }

func (t *table) len() int { return t.n }

func (t *table) start(i int) uint64 { return t.at(i, 0) }
func (t *table) size(i int) uint64  { return t.at(i, 1) }
func (t *table) off(i int) int64    { return int64(t.at(i, 2)) }

// finish makes the table ready for find. It returns how many records overlap
// with one before them.
func (t *table) finish() (overlaps int) {
	if t.disorder {
		order(&t.grid)
	}
	if t.disorder || t.overlap {
		return t.divide()
	}
	return 0
}

// divide replaces overlapping ranges by disjoint pieces, each of which belongs
// to one record. There are at most twice as many pieces as records.
func (t *table) divide() (overlaps int) {
	if overlaps = t.overlapping(); overlaps == 0 {
		return 0
	}
	var p pieces
	for i := 0; i < t.len(); {
		i = p.group(t, i)
	}
	p.close(^uint64(0))
	*t = p.table
	return overlaps
}

func (t *table) overlapping() (n int) {
	var top uint64 // the highest address of the records so far
	for i := range t.len() {
		start := t.start(i)
		if i > 0 && start <= top {
			n++
		}
		top = max(top, lastOf(start, t.size(i)))
	}
	return n
}

// find returns the file offset of the record that covers addr.
func (t *table) find(addr uint64) (off int64, ok bool) {
	i := t.upTo(addr) - 1
	if i < 0 || addr-t.start(i) >= t.size(i) {
		return 0, false
	}
	return t.off(i), true
}

// startBelow returns the greatest start that is at most addr.
func (t *table) startBelow(addr uint64) (start uint64, ok bool) {
	i := t.upTo(addr) - 1
	if i < 0 {
		return 0, false
	}
	return t.start(i), true
}
