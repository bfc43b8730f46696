package pdb

import (
	"cmp"
	"slices"
	"sort"

	"crashglass/core/bin"
)

// Kinds of subsections of a module's line information.
//
// Source: DEBUG_S_SUBSECTION_TYPE of microsoft-pdb's include/cvinfo.h.
const (
	subLines        = 0xf2
	subChecksums    = 0xf4
	subInlinees     = 0xf6
	subCrossImports = 0xf7
	subCrossExports = 0xf8
	subIgnore       = 0x8000_0000 // a flag: the subsection is not to be read
)

// readC13 takes the line information of a module apart.
//
// Spec: https://llvm.org/docs/PDB/ModiStream.html, CV_DebugSLinesHeader_t and
// its like of cvinfo.h.
func (u *unit) readC13(f *File, at int64, data []byte) {
	c := bin.NewCursor("line information of "+u.what, at, data)
	for c.Len() >= 8 {
		kind, size := c.U32(), c.U32()
		from := c.Offset()
		body := c.Bytes(int(size))
		if c.Err() != nil {
			break
		}
		sub := bin.NewCursor("line information of "+u.what, from, body)
		switch kind {
		case subLines:
			u.lines.add(sub, &f.addr)
		case subChecksums:
			u.lines.files = body
		case subInlinees:
			u.sites.add(sub)
		case subCrossImports:
			u.cross.addImports(sub)
		case subCrossExports:
			u.cross.addExports(sub)
		}
		f.notes.error(sub.Err())
		c.Skip(min(int(-size&3), c.Len()))
	}
	f.notes.error(c.Err())
	u.lines.finish()
}

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

// Numbers that are no lines: what a debugger should not stop at. The code
// belongs to the line before. So do dump_syms and the pdb crate; DIA gives
// these numbers out, and they are in the .sym files that Breakpad makes with it.
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
	for c.Len() >= 12 {
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
	t.close(first)
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
func (t *lineTable) finish() {
	list := make([]span, len(t.rows))
	for i, r := range t.rows {
		list[i] = span{r.start, r.end, int32(i)}
	}
	rows := t.rows
	divided := divide(list)
	t.rows = make([]lineRow, len(divided))
	for i, s := range divided {
		t.rows[i] = lineRow{s.start, s.end, rows[s.item].line, rows[s.item].file}
	}
}

// at returns the line that covers an address.
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

// in returns the rows that have code of a range.
func (t *lineTable) in(start, end uint32) []lineRow {
	i := sort.Search(len(t.rows), func(i int) bool { return t.rows[i].end > start })
	j := max(i, sort.Search(len(t.rows), func(i int) bool { return t.rows[i].start >= end }))
	return t.rows[i:j]
}

// fileName returns the name of a source file.
func (f *File) fileName(u *unit, file uint32) string {
	if int64(file)+4 > int64(len(u.lines.files)) {
		f.notes.add("%s: source file %#x, the checksums have %d bytes", u.what, file, len(u.lines.files))
		return ""
	}
	c := bin.NewCursor("checksums", int64(file), u.lines.files[file:])
	text, err := f.names.at(c.U32())
	f.notes.error(err)
	return text
}

// An inlinee is where a function that is inlined somewhere begins.
type inlinee struct{ file, line uint32 }

// An inlineeTable has the inlinees of a module by their numbers.
type inlineeTable map[uint32]inlinee

// add reads DEBUG_S_INLINEELINES: entries without or with a list of further
// files that the function's body comes from.
func (t *inlineeTable) add(c *bin.Cursor) {
	extra := c.U32() == 1
	if *t == nil {
		*t = inlineeTable{}
	}
	for c.Len() >= 12 {
		id := c.U32()
		in := inlinee{file: c.U32(), line: c.U32()}
		if extra {
			c.Skip(4 * c.Count(4))
		}
		if c.Err() != nil {
			return
		}
		if _, ok := (*t)[id]; !ok {
			(*t)[id] = in
		}
	}
}
