package dwarf

import (
	"runtime"

	"crashglass/core/symbolize"
)

// EachFunction lists all functions with their lines and inlined calls, unit by
// unit, in the order of the file. Where several begin at one address the first
// counts; none is marked as Multiple, as that would show at the end only.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	f.mu.Lock()
	x, err := f.readIndex()
	f.mu.Unlock()
	if err != nil {
		return err
	}
	l := lister{f: f, add: add, seen: map[uint64]bool{}}
	return f.eachUnit(x, true, l.unit)
}

// Covered lists where functions are, in any order. It reads all units, without
// their names and lines.
func (f *File) Covered() (out []symbolize.Range, err error) {
	f.mu.Lock()
	x, err := f.readIndex()
	f.mu.Unlock()
	if err != nil {
		return nil, err
	}
	err = f.eachUnit(x, false, func(p *parsed) error {
		for _, r := range p.runs {
			if r.start >= f.opt.Base {
				out = append(out, symbolize.Range{Start: r.start - f.opt.Base, Size: r.end - r.start})
			}
		}
		return nil
	})
	return out, err
}

// eachUnit parses all units, several at once where the machine can, and calls
// use for each in their order. Names and lines are read if whole is set.
func (f *File) eachUnit(x *index, whole bool, use func(*parsed) error) error {
	workers := min(runtime.GOMAXPROCS(0), maxWorkers, len(x.units))
	done := make(chan struct{})
	defer close(done)
	var parts []chan *parsed
	for w := range workers {
		part := make(chan *parsed)
		parts = append(parts, part)
		go func() {
			var n *namer
			if whole {
				n = &namer{}
			}
			for i := w; i < len(x.units); i += workers {
				select {
				case part <- f.parse(x.units[i], n, whole):
				case <-done:
					return
				}
			}
		}()
	}
	total := int64(f.main.section("info").size())
	for i, u := range x.units {
		if err := use(<-parts[i%workers]); err != nil {
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

// maxWorkers bounds how many units are in memory at once.
const maxWorkers = 2
