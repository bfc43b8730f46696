package breakpad

import "sort"

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
	start, size, off column

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
	t.start.append(start)
	t.size.append(size)
	t.off.append(uint64(off))
}

// lastOf is the last address of a range, which may be the very last there is.
func lastOf(start, size uint64) uint64 { return start + (size - 1) }

func (t *table) len() int { return t.start.n }

// Len, Less and Swap are those of sort.Interface: the order of addresses, and
// of the file where they are equal. Sorting happens in place, because a copy
// of the index of a big file is a big copy.
func (t *table) Len() int { return t.start.n }

func (t *table) Less(i, j int) bool {
	if a, b := t.start.at(i), t.start.at(j); a != b {
		return a < b
	}
	return t.off.at(i) < t.off.at(j)
}

func (t *table) Swap(i, j int) {
	t.start.swap(i, j)
	t.size.swap(i, j)
	t.off.swap(i, j)
}

// finish makes the table ready for find. It returns how many records overlap
// with one before them.
func (t *table) finish() (overlaps int) {
	if t.disorder {
		sort.Sort(t)
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
		start := t.start.at(i)
		if i > 0 && start <= top {
			n++
		}
		top = max(top, lastOf(start, t.size.at(i)))
	}
	return n
}

// find returns the file offset of the record that covers addr.
func (t *table) find(addr uint64) (off int64, ok bool) {
	i := t.start.upTo(addr) - 1
	if i < 0 || addr-t.start.at(i) >= t.size.at(i) {
		return 0, false
	}
	return int64(t.off.at(i)), true
}

// startBelow returns the greatest start that is at most addr.
func (t *table) startBelow(addr uint64) (start uint64, ok bool) {
	i := t.start.upTo(addr) - 1
	if i < 0 {
		return 0, false
	}
	return t.start.at(i), true
}

func (t *table) bytes() int { return t.start.bytes() + t.size.bytes() + t.off.bytes() }
