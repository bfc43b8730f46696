package dwarf

import (
	"runtime"
	"slices"

	"crashglass/core/bug"
	"crashglass/core/symbolize"
)

// EachFunction lists all functions with their lines and inlined calls, unit by unit, in the order
// of the file. If several begin at one address the first is used; none is marked as Multiple,
// because that is known only at the end.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	f.mu.Lock()
	x, err := f.readIndex()
	f.mu.Unlock()
	if err != nil {
		return err
	}
	l := lister{f: f, add: add, seen: map[uint64]bool{}}
	if err := f.eachUnit(x, true, l.unit); err != nil {
		return err
	}
	f.mu.Lock()
	f.covered = l.covered
	f.mu.Unlock()
	return nil
}

// Covered lists the address ranges of functions, in any order. It reads all units, without their
// names and lines, unless EachFunction has read them already.
func (f *File) Covered() ([]symbolize.Range, error) {
	f.mu.Lock()
	x, err := f.readIndex()
	covered := slices.Clone(f.covered)
	f.mu.Unlock()
	if err != nil || len(covered) > 0 {
		return covered, err
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

// maxWorkers bounds how many units are read at once. One more is in use.
const maxWorkers = 2

// eachUnit reads all units, several at once where the machine can, and calls
// use for each in their order. Names and lines are read if whole is set.
func (f *File) eachUnit(x *index, whole bool, use func(*parsed) error) error {
	workers := min(runtime.GOMAXPROCS(0), maxWorkers, len(x.units))
	done := make(chan struct{})
	defer close(done)
	var parts []chan *parsed
	for w := range workers {
		part := make(chan *parsed)
		parts = append(parts, part)
		go readEach(x.units[w:], workers, whole, part, done)
	}
	total := int64(f.main.section("info").size())
	for i, u := range x.units {
		p := <-parts[i%workers]
		if p.bug != nil {
			return p.bug
		}
		if err := use(p); err != nil {
			return err
		}
		if u.skeleton != nil {
			u = u.skeleton
		}
		if err := f.progress(int64(u.end), total); err != nil {
			return err
		}
	}
	return nil
}

// readEach reads every so many units. A unit is no longer used when the next one of the same
// goroutine is taken, so two buffers alternate.
func readEach(units []*unit, step int, whole bool, to chan<- *parsed, done <-chan struct{}) {
	var r reading
	var turns [2]parsed
	for i := 0; i < len(units); i += step {
		p := &turns[i/step%2]
		r.unitSafely(units[i], p, whole)
		select {
		case to <- p:
		case <-done:
			return
		}
	}
}

// unitSafely reads a unit in a goroutine whose panic would end the program.
func (r *reading) unitSafely(u *unit, p *parsed, whole bool) {
	defer bug.Catch(&p.bug)
	r.unit(u, p, whole, whole)
}
