package pe

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
	if s == nil || s.flags&flagExecute == 0 {
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
	if f.h.machine == machineAMD64 {
		if p, err := f.procedure(e); err == nil {
			return uint64(p.root().begin)
		}
	}
	return uint64(e.begin)
}
