package dwarf

import (
	"cmp"
	"slices"

	"crashglass/core/stack/symbolize"
	"crashglass/symbols/parallel"
)

// EachFunction lists all functions with their lines and inlined calls, unit by unit, in the order
// of the file. If several begin at one address the first is used; none is marked as Multiple,
// because that is known only at the end.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	x, err := f.index()
	if err != nil {
		return err
	}
	l := lister{f: f, add: add, seen: map[uint64]bool{}}
	if err := f.eachUnit(x, true, l.unit); err != nil {
		return err
	}
	f.covered.Store(&l.covered)
	return nil
}

// Covered lists the address ranges of functions, in any order. It reads all units, without their
// names and lines, unless EachFunction has read them already.
func (f *File) Covered() (covered []symbolize.Range, err error) {
	x, err := f.index()
	if known := f.covered.Load(); err != nil || known != nil {
		return slices.Clone(*cmp.Or(known, &covered)), err
	}
	err = f.eachUnit(x, false, func(p *parsed) error {
		for _, r := range p.runs {
			if r.start >= f.opt.Base {
				covered = append(covered, symbolize.Range{Start: r.start - f.opt.Base, Size: r.end - r.start})
			}
		}
		return nil
	})
	return covered, err
}

// eachUnit reads all units, several at once where the machine can, and calls
// use for each in their order. Names and lines are read if whole is set.
func (f *File) eachUnit(x *index, whole bool, use func(*parsed) error) error {
	var makers []func(int) *parsed
	for range parallel.Workers(len(x.units)) {
		makers = append(makers, unitReader(x.units, whole))
	}
	total, i := int64(f.main.section("info").size()), 0
	return parallel.Each(len(x.units), makers, func(p *parsed) error {
		if err := use(p); err != nil {
			return err
		}
		u := x.units[i]
		i++
		if u.skeleton != nil {
			u = u.skeleton
		}
		return f.progress(int64(u.end), total)
	})
}

// unitReader reads units. Two buffers alternate.
func unitReader(units []*unit, whole bool) func(i int) *parsed {
	var r reading
	var turns [2]parsed
	turn := 0
	return func(i int) *parsed {
		turn = 1 - turn
		r.unit(units[i], &turns[turn], whole, whole)
		return &turns[turn]
	}
}
