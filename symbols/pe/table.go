package pe

import (
	"cmp"
	"fmt"
	"slices"

	"crashglass/core/bin"
)

// An entry is a RUNTIME_FUNCTION: a run of code and what says how to unwind it.
type entry struct {
	begin uint32
	end   uint32 // of ARM64 0: its record says it
	data  uint32 // address of the record, or on ARM64 a packed one
}

func (e entry) String() string { return fmt.Sprintf("function %#x", e.begin) }

// in says of an error what of which function it is about. That is done here
// and not before, because there are errors in few functions.
func (e entry) in(what string, err error) error {
	if at, ok := err.(*bin.Error); ok && at.What == what {
		return defect(what+" of "+e.String(), at.Off, "%s", at.Why)
	}
	return fmt.Errorf("%s of %v: %w", what, e, err)
}

// A table is the exception directory, sorted.
type table struct {
	entries []entry
	bad     []span // where entries contradict each other
	gaps    bool   // what no entry covers is a leaf: the table is there, and whole
}

// readFunctions reads the exception directory. Windows searches it by halves,
// so that it has to be sorted; where it is not it is sorted here.
//
// Entries of code that a linker dropped are left at 0 by GNU ld, and nothing
// is wrong with them. Others that cannot be: what they were about is not
// known, so that no address counts as a leaf any more.
func (f *File) readFunctions() *table {
	const what = "exception directory"
	t := &table{}
	size := uint64(12)
	if f.h.machine == machineARM64 {
		size = 8
	}
	d := f.h.dirs[dirException]
	if d.rva == 0 || d.size == 0 || f.h.machine != machineAMD64 && f.h.machine != machineARM64 {
		return t
	}
	data, err := f.readUpTo(what, uint64(d.rva), uint64(d.size))
	if err != nil {
		f.notes.add(err)
		return t
	}
	at, _, _ := f.offset(uint64(d.rva))
	t.gaps = uint64(len(data)) == uint64(d.size) && !f.hybrid()
	if len(data) < int(d.size) {
		f.note(what, at, "%d bytes reach beyond the %d of the section", d.size, len(data))
	}
	c := bin.NewCursor(what, at, data)
	for uint64(c.Len()) >= size {
		at := c.Offset()
		e := entry{begin: c.U32()}
		if size == 12 {
			e.end = c.U32()
		}
		e.data = c.U32()
		switch {
		case f.possible(e):
			t.entries = append(t.entries, e)
		case e.begin >= f.h.headerSize:
			f.note(what, at, "%v with its end at %#x is not code of the image", e, e.end)
			t.gaps = false
		}
	}
	t.sort()
	for _, b := range t.bad {
		f.note(what, at, "entries overlap from %#x to %#x", b.start, b.end)
	}
	return t
}

// possible reports whether an entry is about code of the image.
func (f *File) possible(e entry) bool {
	if !f.isCode(uint64(e.begin)) {
		return false
	}
	return f.h.machine == machineARM64 || e.begin < e.end && f.isCode(uint64(e.end)-1)
}

// hybrid reports whether the image holds ARM64EC code beside x64 code, or the
// other way round. Its other half has tables of its own, which are not read.
// Source: IMAGE_LOAD_CONFIG_DIRECTORY64 in winnt.h, CHPEMetadataPointer.
func (f *File) hybrid() bool {
	const chpe = 200
	d := f.h.dirs[dirLoad]
	if d.rva == 0 || d.size < chpe+8 {
		return false
	}
	data, err := f.read("load configuration", uint64(d.rva), chpe+8)
	if err != nil {
		f.notes.add(err)
		return true // not known
	}
	c := bin.NewCursor("load configuration", 0, data)
	size := c.U32()
	c.Skip(chpe - 4)
	return size >= chpe+8 && c.U64() != 0
}

// sort sorts the entries, drops those that are there twice, and finds out
// where they contradict each other.
func (t *table) sort() {
	if !slices.IsSortedFunc(t.entries, compare) {
		slices.SortStableFunc(t.entries, compare)
	}
	t.entries = slices.Compact(t.entries)
	var top entry // of those so far the one that ends last
	for i, e := range t.entries {
		switch {
		case e.end == 0 && i > 0 && e.begin == t.entries[i-1].begin:
			t.bad = append(t.bad, span{uint64(e.begin), t.nextBegin(i)})
		case e.end != 0 && e.begin < top.end:
			t.bad = append(t.bad, span{uint64(top.begin), uint64(max(top.end, e.end))})
		}
		if e.end > top.end {
			top = e
		}
	}
	t.bad = merge(t.bad)
}

func compare(a, b entry) int {
	return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.data, b.data))
}

// nextBegin is where the entry behind the i-th begins.
func (t *table) nextBegin(i int) uint64 {
	if i+1 < len(t.entries) {
		return uint64(t.entries[i+1].begin)
	}
	return 1 << 32
}

// before is the last entry that begins at an address or below, or -1.
func (t *table) before(rel uint64) int {
	i, _ := slices.BinarySearchFunc(t.entries, rel, func(e entry, a uint64) int {
		if uint64(e.begin) <= a {
			return -1
		}
		return 1
	})
	return i - 1
}

func (t *table) isBad(rel uint64) bool {
	i, _ := slices.BinarySearchFunc(t.bad, rel, func(s span, a uint64) int {
		if s.end <= a {
			return -1
		}
		return 1
	})
	return i < len(t.bad) && t.bad[i].start <= rel
}

// A coverage says what the table knows of an address.
type coverage uint8

const (
	nowhere coverage = iota // not known
	inEntry                 // what an entry is about
	inGap                   // between entries
)

// find says where an address is: the entry, or what is between two.
func (f *File) find(rel uint64) (entry, span, coverage) {
	s := f.sectionAt(rel)
	t := f.functions()
	if s == nil || s.flags&flagExecute == 0 || t.isBad(rel) {
		return entry{}, span{}, nowhere
	}
	gap := span{uint64(s.rva), uint64(s.rva) + uint64(s.size)}
	i := t.before(rel)
	gap.end = min(gap.end, t.nextBegin(i))
	if i >= 0 {
		e := t.entries[i]
		end, ok := f.endOf(e)
		switch {
		case !ok:
			return entry{}, span{}, nowhere
		case end > t.nextBegin(i) && f.h.machine == machineARM64:
			f.note(e.String(), int64(e.begin), "its end at %#x lies behind the beginning of the next function at %#x", end, t.nextBegin(i))
			return entry{}, span{}, nowhere
		case rel < end:
			e.end = uint32(end)
			return e, span{uint64(e.begin), end}, inEntry
		}
		gap.start = max(gap.start, end)
	}
	return entry{}, gap, inGap
}

// endOf is where an entry's code ends.
func (f *File) endOf(e entry) (uint64, bool) {
	if f.h.machine == machineARM64 {
		size, err := f.armSize(e)
		if err != nil {
			f.notes.add(err)
		}
		return uint64(e.begin) + size, err == nil
	}
	return uint64(e.end), true
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
	if f.h.machine == machineAMD64 {
		if p, err := f.procedure(e); err == nil {
			return uint64(p.root().begin)
		}
	}
	return uint64(e.begin)
}
