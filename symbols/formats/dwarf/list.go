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

// A lister makes functions from parsed units. It reuses the memory of its results.
type lister struct {
	f    *File
	add  func(*symbolize.Function) error
	seen map[uint64]bool // starts of functions

	covered []symbolize.Range

	fn     symbolize.Function
	ranges []symbolize.Range // of calls
	parts  []rangeIndexes    // by call of the function
	pairs  int               // of ranges that were compared in the function
}

// A rangeIndexes is the code of a call in one run of its function.
type rangeIndexes struct{ from, to int32 } // of ranges

// Of several at one address, as a template in many units, the first is listed. One before the image has no address.
func (l *lister) unit(p *parsed) error {
	for _, r := range p.runs {
		if l.seen[r.start] || r.start < l.f.opt.Base {
			continue
		}
		l.seen[r.start] = true
		l.covered = append(l.covered, symbolize.Range{Start: r.start - l.f.opt.Base, Size: r.end - r.start})
		if err := l.add(l.function(p, r)); err != nil {
			return err
		}
	}
	return nil
}

// Neighbouring rows of one line become one. When the work of the file is used up the function has its name alone.
func (l *lister) function(p *parsed, r run) *symbolize.Function {
	base := l.f.opt.Base
	fn := &l.fn
	name := l.f.nameOf(&p.code, nil, r)
	*fn = symbolize.Function{
		Name: name, Linkage: l.f.cloneOf(name, r.start-base), Start: r.start - base, Size: r.end - r.start,
		Lines: fn.Lines[:0], Inlines: fn.Inlines[:0],
	}
	rows := uint64(0)
	if l.f.limits.work.Exceeded() {
		return fn
	}
	p.lines.rowsIn(r.span, func(s span, w row) {
		rows++
		file := p.lines.path(w.file)
		if n := len(fn.Lines); n > 0 {
			last := &fn.Lines[n-1]
			if last.Line == w.line && last.File == file && last.Start+last.Size == s.start-base {
				last.Size += s.end - s.start
				return
			}
		}
		fn.Lines = append(fn.Lines, symbolize.Line{Start: s.start - base, Size: s.end - s.start, File: file, Line: w.line})
	})
	calls := p.subs[r.sub]
	if l.f.spend(8*rows) && l.f.spend(4*uint64(calls.to-calls.from)) {
		l.inlines(p, r)
	}
	return fn
}

// The part of a call outside of its enclosing call is omitted, because its caller is unknown.
func (l *lister) inlines(p *parsed, r run) {
	s := p.subs[r.sub]
	l.parts, l.ranges, l.pairs = l.parts[:0], l.ranges[:0], 0
	whole := [1]symbolize.Range{{Start: r.start - l.f.opt.Base, Size: r.end - r.start}}
	for i := s.from; i < s.to; i++ {
		c := &p.calls[i]
		from := int32(len(l.ranges))
		if c.sub == r.sub {
			in := whole[:]
			if c.parent >= 0 {
				o := l.parts[c.parent-s.from]
				in = l.ranges[o.from:o.to]
			}
			for _, s := range p.spans[c.from:c.to] {
				l.cut(span{s.start - l.f.opt.Base, s.end - l.f.opt.Base}, in)
			}
		}
		l.parts = append(l.parts, rangeIndexes{from, int32(len(l.ranges))})
	}
	for i := s.from; i < s.to; i++ {
		if o := l.parts[i-s.from]; o.from < o.to {
			c := &p.calls[i]
			l.fn.Inlines = append(l.fn.Inlines, symbolize.InlineCall{
				Depth: int(c.depth), Function: p.callNames[i],
				CallFile: p.lines.path(c.file), CallLine: c.line,
				Ranges: l.ranges[o.from:o.to:o.to],
			})
		}
	}
}

// maxPairs bounds how many ranges of calls are compared with those of the calls
// around them in one function. Calls have a handful.
const maxPairs = 1 << 24

// cut appends what of a span lies in some ranges.
func (l *lister) cut(s span, in []symbolize.Range) {
	if l.pairs += len(in); l.pairs > maxPairs || !l.f.spend(uint64(len(in))) {
		return
	}
	for _, r := range in {
		if start, end := max(s.start, r.Start), min(s.end, r.Start+r.Size); start < end {
			l.ranges = append(l.ranges, symbolize.Range{Start: start, Size: end - start})
		}
	}
}

// EachFirst is EachFunction for callers that want only a few functions and then return an error to
// end it. With Options.Waits it reads no further units, so names that other units have are missing.
func (f *File) EachFirst(add func(*symbolize.Function) error) error {
	f.mu.Lock()
	alone := f.opt.Waits && f.x == nil && f.main.extra == nil && len(f.parts) == 0
	f.mu.Unlock()
	if !alone {
		return f.EachFunction(add)
	}
	l := lister{f: f, add: add, seen: map[uint64]bool{}}
	sift, ahead := f.newSieve(), newLookahead(f.main)
	var r reading
	var p parsed
	for off := uint64(0); off < f.main.section("info").size(); {
		u, ok := f.nextWithCode(off, sift, ahead)
		if u == nil && len(l.seen) == 0 {
			return f.EachFunction(add) // which reads on behind damage
		} else if u == nil {
			break
		}
		if ok {
			r.unit(u, &p, true, true)
			if err := l.unit(&p); err != nil {
				return err
			}
		}
		off = u.end
	}
	return nil
}

// nextWithCode reads the header of the unit at an offset, and reports whether the
// unit may have code.
func (f *File) nextWithCode(off uint64, sift *sieve, ahead *lookahead) (u *unit, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	u, _ = f.main.readUnit(off, ahead) // what is wrong is said when all are read
	if u == nil || u.version == 0 {
		return u, false
	}
	_, ok = sift.code(u)
	return u, ok
}
