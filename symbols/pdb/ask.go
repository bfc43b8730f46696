package pdb

import (
	"slices"

	"crashglass/core/symbolize"
)

// A large PDB is searched: section contributions, which linkers sort by address, lead to the module
// of an address, and the order of publics to the names of a function; the list of modules is read
// up to that module. A function that is found this way is certain. Otherwise all lists have to be
// read.

// An asking answers questions until the lists were read.
type asking struct {
	contribs contribOrder
	publics  publicOrder
	given    []given

	unsure bool // the question that is asked needs all lists
}

// A given answer is compared with the answer from the lists.
type given struct {
	rel uint64
	hit hit
}

// maxGiven bounds how many answers are remembered.
const maxGiven = 1 << 14

// probes is how many entries, spread over a list, are read to check whether it is sorted.
const probes = 16

// asks reports whether questions are still answered without all lists.
func (f *File) asks() bool {
	if !f.begun {
		f.begun = true
		if f.opt.Ask && f.contribs == nil && f.publicList == nil {
			f.asked = f.newAsking()
		}
	}
	return f.asked != nil
}

// newAsking is nil for a file whose lists cannot be searched.
func (f *File) newAsking() *asking {
	a := &asking{}
	if !a.contribs.open(f) || !a.publics.open(f) {
		return nil
	}
	return a
}

// ask is look without the lists. It may miss a function.
func (f *File) ask(rva uint32, added bool, rel uint64) (h hit, ok bool) {
	f.asked.unsure = false
	owner, ok := f.asked.contribs.owner(f, rva)
	if !ok {
		return h, false
	}
	u := f.unit(owner)
	s, ok := u.byAddr.Find(uint64(rva))
	if !ok {
		return h, false
	}
	h, ok = f.function(u, int(s.Value), rva, rel)
	h.added = added
	if !ok || f.asked.unsure {
		return hit{}, false
	}
	if len(f.asked.given) < maxGiven {
		f.asked.given = append(f.asked.given, given{rel, h})
	}
	return h, true
}

// stopAsking has the lists read, unless that has to wait, and compares what was
// answered without them.
func (f *File) stopAsking() error {
	if f.opt.Later != nil {
		if err := f.opt.Later(0); err != nil {
			f.unanswered++
			return err
		}
	}
	f.readLists()
	return nil
}

// readLists ends the asking.
func (f *File) readLists() {
	was := f.asked
	if f.asked, f.begun = nil, true; was == nil {
		return
	}
	for _, g := range was.given {
		if h, ok := f.find(g.rel); !ok || h.named != g.hit.named || h.start != g.hit.start || h.size != g.hit.size {
			f.differ++
		}
	}
	if f.differ > 0 {
		f.notes.add("%d of the addresses that were asked for before all lists were read are in another function", f.differ)
	}
}

// Scan reads the lists of a file that was only searched, and returns how many earlier answers have
// changed.
func (f *File) Scan() (differ int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.readLists()
	return f.differ, nil
}

// Unanswered is how many questions were left without an answer because the lists
// could not be read when they were asked.
func (f *File) Unanswered() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unanswered
}

// EachFirst is EachFunction for callers that want a few functions and then end it
// with an error. Of a file that is asked it reads no more modules than that takes,
// and of each function the first line alone.
func (f *File) EachFirst(add func(*symbolize.Function) error) error {
	listed := false
	for i := 0; ; i++ {
		list, ok := f.firstOf(i)
		if !ok && !listed {
			return f.EachFunction(add) // it is not asked, or has no functions
		}
		if !ok {
			return nil
		}
		for _, fn := range list {
			listed = true
			if err := add(&fn); err != nil {
				return err
			}
		}
	}
}

// firstOf lists the certain functions of module i.
func (f *File) firstOf(i int) (out []symbolize.Function, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.asks() {
		return nil, false
	}
	if _, ok := f.mod(i); !ok {
		return nil, false
	}
	u := f.unit(i)
	for _, fn := range u.funcs[:min(len(u.funcs), maxFirst)] {
		pieces := f.addr.pieces(fn.start, fn.end)
		if len(pieces) == 0 {
			continue // it was taken out of the program
		}
		rel := uint64(pieces[0].start)
		h, ok := f.ask(fn.start, false, rel)
		if !ok || h.unit != u {
			continue
		}
		one := symbolize.Function{Name: h.name, Start: h.start, Size: h.size}
		loc := symbolize.Location{Start: h.start}
		if f.source(&loc, h, rel); loc.Line > 0 {
			one.Lines = []symbolize.Line{{Start: h.start, Size: 1, File: loc.File, Line: loc.Line}}
		}
		out = append(out, one)
	}
	return out, true
}

// maxFirst bounds the functions of one module that EachFirst asks for.
const maxFirst = 64

// mod returns entry i of the list of modules. Of a file that is asked the list is
// read up to there.
func (f *File) mod(i int) (m mod, ok bool) {
	list := f.modList
	if list == nil && f.asks() {
		list = f.modsUpTo(i)
	} else if list == nil {
		list = f.mods()
	}
	if i < 0 || i >= len(list) {
		return m, false
	}
	return list[i], true
}

// ascend reports whether values at places all over a list do, and no value is
// unknown.
func ascend(count int64, at func(int64) (uint64, bool)) bool {
	var last uint64
	for _, n := range placesOf(count) {
		v, ok := at(n)
		if !ok || v < last {
			return false
		}
		last = v
	}
	return true
}

// placesOf are the first, the last and places between them.
func placesOf(count int64) (out []int64) {
	for i := range int64(probes) {
		out = append(out, (count-1)*i/(probes-1))
	}
	return slices.Compact(out)
}
