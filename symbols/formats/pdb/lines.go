package pdb

import (
	"cmp"
	"slices"
	"sort"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
)

// A lineRow is the code of one line.
type lineRow struct {
	start, end uint32
	line       uint32
	file       uint32 // where its entry is among the checksums
}

// A lineTable is the lines of a module, in the order of addresses.
type lineTable struct {
	rows  []lineRow
	files []byte // checksums: each begins with where the file's name is in /names
}

// Numbers that are no lines: code at which a debugger should not stop. The code belongs to the line
// before, as in dump_syms and the pdb crate. DIA reports these numbers, so .sym files made with it
// by Breakpad contain them.
const (
	lineNeverStepOnto = 0xfeefee
	lineNeverStepInto = 0xf00f00
)

// add reads one DEBUG_S_LINES: the lines of one run of code, in one block for
// each source file.
func (t *lineTable) add(c *bin.Cursor, a *addressMap) {
	off, sect := c.U32(), c.U16()
	columns := c.U16()&1 != 0
	size := c.U32()
	start, ok := a.rva(sect, off)
	if !ok {
		return
	}
	end := endOf(start, size)
	first := len(t.rows)
	for c.Err() == nil && c.Len() >= 12 {
		file, count, block := c.U32(), c.U32(), c.U32()
		need := uint64(count) * 8
		if columns {
			need += uint64(count) * 4
		}
		if c.Err() != nil || uint64(block) < 12+need || uint64(block)-12 > uint64(c.Len()) {
			c.Fail("a block of %d bytes for %d lines, %d bytes are left", block, count, c.Len())
			break
		}
		for range count {
			at, bits := c.U32(), c.U32()
			if at < size {
				t.rows = append(t.rows, lineRow{start: start + at, end: end, line: bits & 0xffffff, file: file})
			}
		}
		c.Skip(int(block) - 12 - int(count)*8)
	}
	t.lead(first, start)
	t.close(first)
}

// lead makes the first row of a range of code begin at its start. Where a function begins with a
// call that was inlined, LLVM writes no row for it, and the first row is that of the call.
func (t *lineTable) lead(first int, start uint32) {
	rows := t.rows[first:]
	if len(rows) == 0 {
		return
	}
	i := 0
	for j, r := range rows {
		if r.start < rows[i].start {
			i = j
		}
	}
	if l := rows[i].line; l != lineNeverStepOnto && l != lineNeverStepInto {
		rows[i].start = start
	}
}

// close ends each row where the next one begins, from the row first on. Rows
// of one run of code in several blocks alternate.
func (t *lineTable) close(first int) {
	rows := t.rows[first:]
	slices.SortStableFunc(rows, byStart)
	kept := rows[:0]
	for _, r := range rows {
		n := len(kept)
		hidden := r.line == lineNeverStepOnto || r.line == lineNeverStepInto
		switch {
		case hidden && n > 0:
			continue
		case n > 0 && kept[n-1].start == r.start:
			kept[n-1] = r // of two lines for the same instruction the last counts
			continue
		case n > 0:
			kept[n-1].end = r.start
		}
		kept = append(kept, r)
	}
	if len(kept) > 0 && (kept[0].line == lineNeverStepOnto || kept[0].line == lineNeverStepInto) {
		kept = kept[:copy(kept, kept[1:])]
	}
	t.rows = t.rows[:first+len(kept)]
}

func byStart(a, b lineRow) int { return cmp.Compare(a.start, b.start) }

// finish makes rows of different runs of code disjoint: two functions that
// became one have lines for the same addresses.
func (t *lineTable) finish() { t.rows = divideRows(t.rows) }

// divideRows makes rows disjoint. It returns in if nothing overlaps.
func divideRows(in []lineRow) []lineRow {
	if disjointRows(in) {
		return in
	}
	var t ranges.Table
	for i, r := range in {
		addRun(&t, r.start, r.end, i)
	}
	t.Finish()
	out := make([]lineRow, t.Len())
	for i := range out {
		r := t.Range(i)
		out[i] = in[r.Value]
		out[i].start, out[i].end = uint32(r.Start), uint32(r.Start+r.Size)
	}
	return out
}

func disjointRows(in []lineRow) bool {
	end := uint32(0)
	for _, r := range in {
		if r.start < end || r.start >= r.end {
			return false
		}
		end = r.end
	}
	return true
}

func (t *lineTable) at(rva uint32) (lineRow, bool) {
	i := t.after(rva) - 1
	if i < 0 || rva >= t.rows[i].end {
		return lineRow{}, false
	}
	return t.rows[i], true
}

// after is the number of rows that begin at rva or below.
func (t *lineTable) after(rva uint32) int {
	return sort.Search(len(t.rows), func(i int) bool { return t.rows[i].start > rva })
}

func (t *lineTable) in(start, end uint32) []lineRow {
	i := sort.Search(len(t.rows), func(i int) bool { return t.rows[i].end > start })
	j := max(i, sort.Search(len(t.rows), func(i int) bool { return t.rows[i].start >= end }))
	return t.rows[i:j]
}
