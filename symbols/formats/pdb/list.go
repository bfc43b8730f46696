package pdb

import (
	"crashglass/core/base/ranges"
	"crashglass/core/stack/symbolize"
	"crashglass/symbols/parallel"
)

// EachFunction lists the functions of all modules, those that Locate finds, in
// the order of modules. A function in several places of the image is several
// of these.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	covered := &ranges.Table{}
	err := f.eachModule(func(m *moduleList) error {
		covered.Join(m.covered)
		for i := range m.functions {
			if err := add(&m.functions[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		covered.Finish()
		f.mu.Lock()
		f.covered = covered
		f.mu.Unlock()
	}
	return err
}

type moduleList struct {
	functions []symbolize.Function
	covered   *ranges.Table // code that its functions have
	notes     *notes
}

// A lister lists the functions of modules, one after the other.
type lister struct {
	f     *File
	calls callList
	chain []*site
	cuts  []uint32

	listed []symbolize.Line // of the function that is described
	last   lineRow          // the outermost line of what was listed last, where no call is inlined
}

// module lists the functions of a module that answer for their first byte.
func (l *lister) module(i int) *moduleList {
	f, out := l.f, &moduleList{}
	u, ok := f.units.Get(i)
	if !ok {
		u = f.readUnit(i) // it is needed once
	}
	f.addr.listing(u)
	own := u.owned()
	for j, fn := range u.funcs {
		owner, ok := f.owners().Find(uint64(fn.start))
		if !ok || int(owner.Value) != i {
			continue
		}
		if s, ok := u.byAddr.Find(uint64(fn.start)); !ok || int(s.Value) != j {
			continue
		}
		b := l.body(u, fn)
		if b.name == "" {
			continue
		}
		n := f.naming(u, j, b)
		for _, p := range f.addr.pieces(fn.start, fn.end) {
			out.functions = append(out.functions, l.describe(u, b, n, p, own[j]))
		}
	}
	out.covered = f.coveredIn(u)
	return out
}

// Most are needed once; thousands of parts may have the record of one function.
func (l *lister) body(u *unit, fn function) *body {
	if fn.part {
		return l.f.body(u, fn.at)
	}
	return l.f.readBody(u, fn.at)
}

func (f *File) coveredIn(u *unit) *ranges.Table {
	t := &ranges.Table{}
	for i := range u.byAddr.Len() {
		r := u.byAddr.Range(i)
		if owner, ok := f.owners().Find(r.Start); ok && int(owner.Value) == u.index {
			t.Add(r.Start, r.Size, r.Value)
		}
	}
	return t
}

// owned is the code of each function in a unit without the code of others, by its number. It is nil if no
// functions overlap. If thousands claim all code of a module, each line is still listed once.
func (u *unit) owned() map[int][]ranges.Range {
	if !u.overlaps() {
		return nil
	}
	own := map[int][]ranges.Range{}
	for i := range u.byAddr.Len() {
		r := u.byAddr.Range(i)
		own[int(r.Value)] = append(own[int(r.Value)], r)
	}
	return own
}

// overlaps reports whether code of a function answers for another one.
func (u *unit) overlaps() bool {
	if u.byAddr.Len() > len(u.funcs) {
		return true
	}
	for i := range u.byAddr.Len() {
		r := u.byAddr.Range(i)
		if fn := u.funcs[r.Value]; r.Start != uint64(fn.start) || r.Start+r.Size != uint64(fn.end) {
			return true
		}
	}
	return false
}

// within lists code that was moved as one, where it is the function's.
func (l *lister) within(u *unit, b *body, q moved, own []ranges.Range) {
	if own == nil {
		l.moved(u, b, q)
		return
	}
	for _, r := range own {
		from, to := max(uint64(q.from), r.Start), min(uint64(q.from)+uint64(q.size), r.Start+r.Size)
		if from < to {
			l.moved(u, b, moved{uint32(from), q.start + uint32(from) - q.from, uint32(to - from)})
		}
	}
}

// eachModule lists all modules, several at once where the machine can, and
// calls use for each in their order.
func (f *File) eachModule(use func(*moduleList) error) error {
	n, forks := f.forks()
	var makers []func(int) *moduleList
	for _, g := range forks {
		makers = append(makers, (&lister{f: g}).noted)
	}
	return parallel.Each(n, makers, func(m *moduleList) error {
		f.mu.Lock()
		f.notes.AddAll(&m.notes.Notes)
		f.mu.Unlock()
		return use(m)
	})
}

// noted lists a module with the notes of that.
func (l *lister) noted(i int) *moduleList {
	m := l.module(i)
	m.notes, l.f.notes = l.f.notes, &notes{}
	return m
}

// forks makes a File for each goroutine of a listing of n modules.
func (f *File) forks() (n int, out []*File) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n = len(f.mods())
	publicRecords := f.allRecords()
	workers := parallel.Workers(n)
	if f.addr.omap != nil {
		workers = min(1, n) // its budget is spent in one order
	}
	for range workers {
		g := f.fork()
		g.publicRecords = publicRecords
		out = append(out, g)
	}
	return n, out
}

// fork returns the file for another goroutine. Both share immutable data; each has caches of its
// own.
func (f *File) fork() *File {
	g := &File{
		notes: &notes{}, msf: f.msf, info: f.info, dbi: f.dbi, addr: f.addr, optional: f.optional,
		modList: f.mods(), modNames: f.modNames, contribs: f.owners(),
		publicList: f.publics(), records: f.records, frames: f.frameRecords(),
		names: f.names.fork(), types: f.types.fork(), ids: f.ids.fork(),
	}
	g.newCaches(forkCache)
	return g
}

// forkCache is small: a listing asks for a module once.
const forkCache = 16 << 20

// EachPublic lists the symbols of code, except those at the start of a function, which add nothing.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	return eachOf(f.publicsListed(), add)
}

// eachOf calls add for each item until it returns an error.
func eachOf[T any](list []T, add func(T) error) error {
	for _, item := range list {
		if err := add(item); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) publicsListed() (out []symbolize.Public) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.publicRecords = f.allRecords()
	defer func() { f.publicRecords = nil }()
	functions := f.allFunctions()
	list := f.publics()
	var starts []uint64
	for i := 0; i < len(list); {
		rva := list[i].rva
		for i < len(list) && list[i].rva == rva {
			i++
		}
		if _, in := functions.Find(uint64(rva)); in {
			continue
		}
		n := f.publicNamed(rva)
		if n.name == "" {
			continue
		}
		starts = f.addr.blocks(rva, f.nextPublic(list[i:], rva), starts[:0])
		for _, start := range starts {
			out = append(out, symbolize.Public{Name: n.name, Start: start, ParamSize: n.params, Multiple: n.multiple})
		}
	}
	return out
}

// allFunctions is the code that functions have. Neighbours in the image are
// of different modules, so this takes the modules in their order instead.
func (f *File) allFunctions() *ranges.Table {
	if f.covered == nil {
		t := &ranges.Table{}
		for i := range f.mods() {
			t.Join(f.coveredIn(f.unit(i)))
		}
		t.Finish()
		f.covered = t
	}
	return f.covered
}

// nextPublic is where the code of a public symbol ends at the latest: at the
// next symbol, function or piece of the program, or with its section.
func (f *File) nextPublic(behind []public, rva uint32) uint32 {
	end := ^uint32(0)
	if len(behind) > 0 {
		end = behind[0].rva
	}
	for _, t := range []*ranges.Table{f.owners(), f.allFunctions()} {
		if i := t.UpTo(uint64(rva)); i < t.Len() {
			end = min(end, uint32(t.Range(i).Start))
		}
	}
	if s := f.addr.sectionOf(rva); s > 0 {
		end = min(end, endOf(f.addr.sections[s-1].start, f.addr.sections[s-1].size))
	}
	return max(end, rva+1)
}
