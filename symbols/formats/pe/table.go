package pe

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/base/bin"
	"crashglass/core/base/ranges"
)

// An entry is a RUNTIME_FUNCTION: a range of code and its unwind record.
type entry struct {
	begin uint32
	end   uint32 // of ARM64 what its record says, or 0 where that cannot be read
	data  uint32 // address of the record, or on ARM64 a packed one
}

func (e entry) String() string { return fmt.Sprintf("function %#x", e.begin) }

// in adds the record and the function to an error. Only errors need this text, so it is made here.
func (e entry) in(what string, err error) error {
	if at, ok := err.(*bin.Error); ok && at.What == what {
		return defect(what+" of "+e.String(), at.Off, "%s", at.Why)
	}
	return fmt.Errorf("%s of %v: %w", what, e, err)
}

// A table is the exception directory, sorted.
type table struct {
	entries []entry
	byAddr  ranges.Table // of entries
	gaps    bool         // code without an entry is a leaf: the table is complete
}

// readFunctions reads the exception directory. Windows searches it by halves,
// so that it has to be sorted; where it is not it is sorted here.
//
// Entries of code that a linker dropped are left at 0 by GNU ld, and nothing is wrong with them.
// Other impossible entries are damage: their code is unknown, so no address counts as a leaf any
// more.
func (f *File) readFunctions() *table {
	t := &table{}
	h := f.hybrid()
	t.gaps = h != nil || f.halves() == nil
	arm := f.h.machine == machineARM64
	at := f.readDirectory(t, f.h.dirs[dirException], arm)
	if h != nil {
		f.readDirectory(t, h.second, !arm)
	}
	f.finish(t, exceptions, at)
	return t
}

// exceptions names the table in errors.
const exceptions = "exception directory"

// readDirectory reads the entries of one CPU, and returns where they are.
func (f *File) readDirectory(t *table, d directory, arm bool) (at int64) {
	size := f.entrySize(arm)
	if d.rva == 0 || d.size == 0 || size == 0 {
		return 0
	}
	data, err := f.readUpTo(exceptions, uint64(d.rva), uint64(d.size))
	if err != nil {
		f.notes.add(err)
		t.gaps = false
		return 0
	}
	at, _, _ = f.offset(uint64(d.rva))
	t.gaps = t.gaps && uint64(len(data)) == uint64(d.size)
	if len(data) < int(d.size) {
		f.note(exceptions, at, "%d bytes reach beyond the %d of the section", d.size, len(data))
	}
	f.readEntries(t, exceptions, at, data, size)
	return at
}

// entrySize returns the size of a RUNTIME_FUNCTION, or 0 for a CPU without them.
func (f *File) entrySize(arm bool) int {
	switch {
	case f.h.machine != machineAMD64 && f.h.machine != machineARM64:
		return 0
	case arm:
		return 8
	}
	return 12
}

func (f *File) readEntries(t *table, what string, at int64, data []byte, size int) {
	c := bin.NewCursor(what, at, data)
	for c.Len() >= size {
		at := c.Offset()
		e := entry{begin: c.U32()}
		if size == 12 {
			e.end = c.U32()
		}
		e.data = c.U32()
		switch {
		case f.possible(e, size == 8):
			t.entries = append(t.entries, f.withEnd(e))
		case e.begin >= f.h.headerSize:
			f.note(what, at, "%v with its end at %#x is not code of the image", e, e.end)
			t.gaps = false
		}
	}
}

// finish makes the table of entries.
func (f *File) finish(t *table, what string, at int64) {
	t.sort()
	o, disagree := t.place(f.sameRules)
	if o.Inside > 0 {
		f.note(what, at, "entries overlap, the first at %#x: of those that cover an address the last to begin is used", o.First)
	}
	if disagree > 0 {
		f.note(what, at, "%d entries are about the code of another one, with other rules: it has none", disagree)
	}
}

// possible reports whether an entry is about code of the image, of its CPU.
func (f *File) possible(e entry, arm bool) bool {
	if !f.isCode(uint64(e.begin)) || f.isARM(uint64(e.begin)) != arm {
		return false
	}
	return arm || e.begin < e.end && f.isCode(uint64(e.end)-1)
}

// loadConfig reads a field of the load configuration, 0 if it has none there.
//
// Source: winnt.h, IMAGE_LOAD_CONFIG_DIRECTORY64 and IMAGE_LOAD_CONFIG_DIRECTORY32.
func (f *File) loadConfig(at, size int) (uint64, error) {
	d := f.h.dirs[dirLoad]
	if d.rva == 0 || int64(d.size) < int64(at+size) {
		return 0, nil
	}
	data, err := f.read("load configuration", uint64(d.rva), uint64(at+size))
	if err != nil {
		f.notes.add(err)
		return 0, err
	}
	c := bin.NewCursor("load configuration", 0, data)
	have := c.U32()
	c.Skip(at - 4)
	switch {
	case int64(have) < int64(at+size):
		return 0, nil
	case size == 8:
		return c.U64(), nil
	}
	return uint64(c.U32()), nil
}

// withEnd finds out where the code of an ARM64 entry ends.
func (f *File) withEnd(e entry) entry {
	if f.isARM(uint64(e.begin)) {
		if size, err := f.armSize(e); err == nil {
			e.end = uint32(min(uint64(e.begin)+size, 1<<32-1))
		}
	}
	return e
}

// sort sorts the entries and drops those that are there twice.
func (t *table) sort() {
	if !slices.IsSortedFunc(t.entries, compare) {
		slices.SortStableFunc(t.entries, compare)
	}
	t.entries = slices.Compact(t.entries)
}

func compare(a, b entry) int {
	return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.data, b.data))
}

// unclear marks code with several entries that have different rules. It is unknown which one is
// damaged, and each may describe another function, as in a seed of FuzzDamagedTablesOnAWalk.
const unclear = -1

// place makes the table of the code of entries. One whose end is not known
// reaches up to the next one, so that it is found there and its error told.
//
// Several entries about the same code are one when they say the same. Each is
// compared with the first alone, so that this is linear.
func (t *table) place(same func(a, b entry) bool) (o ranges.Overlaps, disagree int) {
	for first := 0; first < len(t.entries); {
		e, next := t.entries[first], first+1
		value, end := int64(first), uint64(e.end)
		for next < len(t.entries) && t.entries[next].begin == e.begin && t.entries[next].end == e.end {
			if value != unclear && !same(e, t.entries[next]) {
				value = unclear
			}
			next++
		}
		if value == unclear {
			disagree += next - first - 1
		}
		if end == 0 {
			end = t.nextBegin(next - 1)
		}
		t.byAddr.Add(uint64(e.begin), end-uint64(e.begin), value)
		first = next
	}
	return t.byAddr.Finish(), disagree
}

func (t *table) nextBegin(i int) uint64 {
	if i+1 < len(t.entries) {
		return uint64(t.entries[i+1].begin)
	}
	return 1 << 32
}

// A coverage is the table's answer for an address.
type coverage uint8

const (
	nowhere coverage = iota // not known
	inEntry                 // what an entry is about
	inGap                   // between entries
)

// find locates an address: in an entry, or between two.
func (f *File) find(rel uint64) (entry, span, coverage) {
	s := f.sectionAt(rel)
	if h := f.hybrid(); s == nil || s.flags&flagExecute == 0 || h != nil && h.kindOf(rel) < 0 {
		return entry{}, span{}, nowhere
	}
	t := f.functions()
	gap := span{uint64(s.rva), uint64(s.rva) + uint64(s.size)}
	i := t.byAddr.UpTo(rel)
	if i < t.byAddr.Len() {
		gap.end = min(gap.end, t.byAddr.Range(i).Start)
	}
	if i > 0 {
		r := t.byAddr.Range(i - 1)
		if rel <= r.Last() {
			return f.inEntryOf(t, r.Value)
		}
		gap.start = max(gap.start, r.Start+r.Size)
	}
	return entry{}, gap, inGap
}

// inEntryOf is what find says of an address in an entry.
func (f *File) inEntryOf(t *table, i int64) (entry, span, coverage) {
	if i == unclear {
		return entry{}, span{}, nowhere
	}
	e := t.entries[i]
	if e.end == 0 {
		// An entry may have a size and still no end: it begins at 0 and is empty, or it wraps around.
		if _, err := f.armSize(e); err != nil {
			f.notes.add(err)
		}
		return entry{}, span{}, nowhere
	}
	return e, span{uint64(e.begin), uint64(e.end)}, inEntry
}

// lowest is the lowest address that a name for an address may have: where the
// table says where functions begin and end, not one of a function before.
func (f *File) lowest(rel uint64) uint64 {
	if len(f.functions().entries) == 0 {
		return 0
	}
	_, run, covered := f.find(rel)
	if covered == nowhere {
		return rel
	}
	return run.start
}

// rootOf is where the function begins that an entry is a part of.
func (f *File) rootOf(e entry) uint64 {
	if !f.isARM(uint64(e.begin)) {
		if p, err := f.procedure(e); err == nil {
			return uint64(p.root().begin)
		}
	}
	return uint64(e.begin)
}

// sameRules reports whether two entries for the same code have the same unwind rules. A linker that
// folds functions or funclets leaves such entries: only the handler, or its data, differs.
func (f *File) sameRules(a, b entry) bool {
	if a.data == b.data {
		return true
	}
	if f.work.Exceeded() {
		return false
	}
	if f.isARM(uint64(a.begin)) {
		return f.sameArmRules(a, b)
	}
	x, errX := f.unwindInfo(a)
	y, errY := f.unwindInfo(b)
	if errX != nil || errY != nil {
		return false
	}
	return x.version == y.version && x.prolog == y.prolog && x.frameReg == y.frameReg && x.frameOff == y.frameOff &&
		x.chained() == y.chained() && x.parent == y.parent && slices.Equal(x.codes, y.codes) &&
		x.epilogSize == y.epilogSize && slices.Equal(x.epilogs, y.epilogs)
}

// sameArmRules compares records in .xdata. Two packed entries that differ say
// different things.
func (f *File) sameArmRules(a, b entry) bool {
	if (a.data|b.data)&3 != armFull {
		return false
	}
	x, codesX, errX := f.armParts(a)
	y, codesY, errY := f.armParts(b)
	if errX != nil || errY != nil {
		return false
	}
	// Records may overlap, so that each of thousands is as large as the section.
	f.work.Spend(compareWork * int64(len(codesY)))
	return x.words == y.words && slices.EqualFunc(x.epilogs, y.epilogs, func(e, g armEpilog) bool { return e.index == g.index }) && bytes.Equal(codesX, codesY)
}

// compareWork is what comparing a byte of codes costs, in units of work.
const compareWork = 8

// armParts is the header of a record in .xdata, and the epilogs and codes
// behind it as they are.
func (f *File) armParts(e entry) (r *armRecord, codes []byte, err error) {
	head, err := f.readUpTo(unwindRecord, uint64(e.data), 8)
	if err != nil {
		return nil, nil, err
	}
	c := bin.NewCursor(unwindRecord, 0, head)
	r, scopes, words, err := armHeader(c)
	if err != nil {
		return nil, nil, err
	}
	codes, err = f.read(unwindRecord, uint64(e.data)+uint64(c.Offset()), 4*uint64(scopes+words))
	return r, codes, err
}
