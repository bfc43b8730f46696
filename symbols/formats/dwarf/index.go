package dwarf

import "slices"

// A unitSpan is a range of code with its unit.
type unitSpan struct {
	span
	unit int32
}

// An index finds the units of an address. There may be several, and all are searched: a unit may
// claim code from its first function to its last one, with functions of other units in between. So
// this is no table of core/base/ranges, in which an address has one owner.
type index struct {
	units    []*unit    // those that have code, in the order of the file
	codeless []*unit    // the others, which have types and variables only
	places   []unitSpan // those of one unit do not overlap
	unplaced []int32    // units that do not say where their code is
	evidence int        // kinds of it that unplaced units were placed by

	areas  []area // of places, in the order of addresses
	few    []int32
	crowds []crowd
	aside  *aranges // the contents of .debug_aranges, once they were needed
}

func (f *File) readIndex() (*index, error) {
	if f.x != nil {
		return f.x, nil
	}
	if err := f.main.readUnits(f.passing); err != nil {
		return nil, err
	}
	if err := f.readSupplementary(); err != nil {
		return nil, err
	}
	x, missing := &index{}, &Missing{}
	sift := f.newSieve()
	for _, u := range f.main.units {
		id := int32(len(x.units))
		spans, ok := sift.code(u)
		joined := f.joined(u)
		if !ok {
			x.codeless = append(x.codeless, joined)
			continue
		}
		if joined == u && len(spans) > 0 && u.dwo.form != 0 {
			missing.add(u.readText(u.dwo))
		}
		x.units = append(x.units, joined)
		x.place(id, spans)
		if len(spans) == 0 {
			x.unplaced = append(x.unplaced, id)
		}
	}
	x.divide()
	f.x = x
	f.missing.Store(missing)
	return x, nil
}

// all are the units with code and then the others: a file of variables only has no
// function, and a class may be defined where no function is.
func (x *index) all() []*unit { return slices.Concat(x.units, x.codeless) }

// A sieve selects the units that have code.
type sieve struct {
	f      *File
	room   uint64 // of maxUnplaced
	budget int    // of ranges
}

// newSieve makes a sieve. Its budget is that of all ranges of all units together.
func (f *File) newSieve() *sieve {
	return &sieve{f, maxUnplaced, 64 + maxShared*int(min(f.main.rangeRoom(), 1<<40))}
}

// code returns where a unit says that its code is, and reports whether it may
// have some.
func (s *sieve) code(u *unit) (spans []span, ok bool) {
	if u.tag != tagCompileUnit && u.tag != tagSkeletonUnit {
		return nil, false
	}
	spans = u.placed(&s.budget)
	return spans, len(spans) > 0 || !u.saysNowhere() && s.f.mayHaveCode(u, &s.room)
}

// place adds that a unit has code somewhere. It sorts the spans.
func (x *index) place(unit int32, spans []span) {
	for _, s := range disjoint(spans, 0) {
		x.places = append(x.places, unitSpan{span: s, unit: unit})
	}
}

// placed is where the unit says that its code is.
func (u *unit) placed(budget *int) []span {
	return u.appendRanges(nil, u.low, u.high, u.list, budget)
}

// saysNowhere reports whether the unit says that it has no code any more.
func (u *unit) saysNowhere() bool { return u.list.set() || u.low.set() && u.high.set() }

// joined is a unit with the split unit that has its entries, if it is there.
func (f *File) joined(u *unit) *unit {
	split := f.split[u.id]
	if u.id == 0 || split == nil {
		return u
	}
	both := *split
	both.skeleton = u
	return &both
}
