package pdb

import (
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/search"
)

// A large PDB is searched: section contributions, which linkers sort by address, lead to the module
// of an address, and the order of publics to the names of a function; the list of modules is read
// up to that module. A function that is found this way is certain. Otherwise all lists have to be
// read.

type searched struct {
	contribs contribList
	publics  publicList
}

// searching reports whether queries are still answered without all lists.
func (f *File) searching() bool {
	if !f.begun {
		f.begun = true
		if f.opt.Search && f.contribs == nil && f.publicList == nil && f.searched.contribs.open(f) && f.searched.publics.open(f) {
			f.state.Begin()
		}
	}
	return f.state.Searching()
}

func (f *File) find(rel uint64) (hit, bool) {
	rva, added, ok := f.addr.internal(rel)
	if !ok {
		return hit{}, false
	}
	f.searching()
	return search.Query(&f.state, f.lookup(rva, added, rel), hit.same, f.tryLists)
}

// lookup is the query for an address: by search, or in the lists once they were read.
func (f *File) lookup(rva uint32, added bool, rel uint64) func() (hit, bool) {
	return func() (h hit, ok bool) {
		if !f.state.Searching() {
			return f.look(rva, added, rel)
		}
		owner, ok := f.searched.contribs.owner(f, rva)
		if !ok {
			return h, false
		}
		h, ok, _ = f.functionIn(owner, rva, added, rel)
		return h, ok
	}
}

// same reports whether the lists say the same as the search.
func (h hit) same(o hit) bool { return h.named == o.named && h.start == o.start && h.size == o.size }

// tryLists has the lists read, unless that has to wait, and compares the earlier answers.
func (f *File) tryLists() error {
	if f.state.Searching() && f.opt.BeforeRead != nil {
		if err := f.opt.BeforeRead(0); err != nil {
			return err
		}
	}
	f.readLists()
	return nil
}

// readLists ends the search.
func (f *File) readLists() {
	f.begun = true
	if !f.state.Searching() {
		return
	}
	f.state.End()
	f.searched = searched{}
	f.state.Compare()
	f.state.Answers = nil
	if f.state.Differ > 0 {
		f.notes.add("%d of the addresses that were queried before all lists were read are in another function", f.state.Differ)
	}
}

// Scan reads the lists of a file that was only searched, and returns how many earlier answers have
// changed.
func (f *File) Scan() (differ int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.readLists()
	return f.state.Differ, nil
}

// Unanswered is how many queries were left without an answer because the lists
// could not be read at the time.
func (f *File) Unanswered() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state.Unanswered
}

// EachFirst is EachFunction for callers that want a few functions and then end it
// with an error. Of a file that is searched it reads no more modules than that takes,
// and of each function the first line alone.
func (f *File) EachFirst(add func(*symbolize.Function) error) error {
	listed := false
	for i := 0; ; i++ {
		list, ok := f.firstOf(i)
		if !ok && !listed {
			return f.EachFunction(add) // it is not searched, or has no functions
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
	if !f.searching() {
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
		h, ok := search.Try(&f.state, f.lookup(fn.start, false, rel), hit.same)
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

// maxFirst bounds the functions of one module that EachFirst lists.
const maxFirst = 64

// Of a file that is searched the list is read up to there.
func (f *File) mod(i int) (m mod, ok bool) {
	list := f.modList
	if list == nil && f.searching() {
		list = f.modsUpTo(i)
	} else if list == nil {
		list = f.mods()
	}
	if i < 0 || i >= len(list) {
		return m, false
	}
	return list[i], true
}
