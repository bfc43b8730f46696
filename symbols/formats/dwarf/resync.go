package dwarf

import (
	"slices"
)

// Entries have neither a mark nor a length by which to find the next one after a defect. But
// earlier entries refer to later ones: as their next sibling, a type or an origin. Reading
// continues at the nearest of these, outside of all scopes. A function there is used only if it
// lies in the unit's ranges.

// trusted is how far before a defect an entry must be for its references to be used, because a
// defect is noticed some entries late.
const trusted = 64

// maxResyncs bounds how often a unit is read on.
const maxResyncs = 8

// resync finds where to read on after a defect at an offset of the buffer.
func (w *walker) resync(at int) bool {
	if w.resyncs == maxResyncs {
		return false
	}
	w.resyncs++
	w.collect(at)
	i, same := slices.BinarySearch(w.targets, at)
	if same {
		i++
	}
	if i == len(w.targets) {
		return false
	}
	w.from = w.targets[i]
	w.r.at, w.r.bad = w.from, false
	for len(w.stack) > 0 {
		w.leave()
	}
	w.here = outside
	if w.placed == nil {
		budget := w.unit.rangeBudget()
		w.placed = w.unit.placed(&budget)
	}
	return true
}

// collect notes what the entries from the last start up to a defect refer to.
func (w *walker) collect(at int) {
	u := w.unit
	table, _ := u.group.parseTable(u.table(), true)
	r := buffer{b: w.r.b, at: w.from, big: w.r.big}
	for r.at < at-trusted && !r.bad {
		code := r.uleb()
		a := table.find(code)
		if a == nil {
			if code != 0 {
				break
			}
			continue
		}
		for i := range a.ops {
			v := u.sizes.read(&r, a.ops[i].form, a.ops[i].implicit)
			if isReference(v.form) && v.form != formRefAddr && v.v > uint64(at) && v.v < uint64(len(r.b)) && !r.bad {
				w.targets = append(w.targets, int(v.v))
			}
		}
	}
	slices.Sort(w.targets)
	w.targets = slices.Compact(w.targets)
}

// believable reports whether ranges that were read behind a defect are where
// the unit says that its code is.
func (w *walker) believable(ranges []span) bool {
	if w.resyncs == 0 || len(w.placed) == 0 {
		return true
	}
	if !w.unit.group.file.spend(uint64(len(ranges) * len(w.placed))) {
		return false
	}
	return !slices.ContainsFunc(ranges, func(s span) bool {
		return !slices.ContainsFunc(w.placed, func(p span) bool { return p.start <= s.start && s.end <= p.end })
	})
}
