package pdb

import "crashglass/symbols/parallel"

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
		f.notes.addAll(m.notes)
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
	held := f.allRecords()
	workers := parallel.Workers(n)
	if f.addr.omap != nil {
		workers = min(1, n) // its budget is spent in one order
	}
	for range workers {
		g := f.fork()
		g.held = held
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
