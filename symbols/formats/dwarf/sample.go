package dwarf

import "crashglass/core/stack/symbolize"

// EachFirst is EachFunction for callers that want only a few functions and then return an error to
// end it. With Options.Ask it reads no further units.
func (f *File) EachFirst(add func(*symbolize.Function) error) error {
	f.mu.Lock()
	asks := f.asks()
	f.mu.Unlock()
	if !asks {
		return f.EachFunction(add)
	}
	l := lister{f: f, add: add, seen: map[uint64]bool{}}
	sift, ahead := f.newSieve(), newLookahead(f.main)
	var r reading
	var p parsed
	for off := uint64(0); off < f.main.section("info").size(); {
		u, ok := f.nextWithCode(off, sift, ahead)
		if u == nil {
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
