package pdb

import (
	"runtime"

	"crashglass/core/bug"
)

// maxWorkers bounds how many modules are read at once. Their results are kept until their turn.
const maxWorkers = 2

// eachModule lists all modules, several at once where the machine can, and
// calls use for each in their order.
func (f *File) eachModule(use func(*moduleList) error) error {
	n, forks := f.forks()
	done := make(chan struct{})
	defer close(done)
	var parts []chan *moduleList
	for w, g := range forks {
		part := make(chan *moduleList)
		parts = append(parts, part)
		l := &lister{f: g}
		go l.listEach(w, len(forks), n, part, done)
	}
	for i := range n {
		m := <-parts[i%len(forks)]
		if m.bug != nil {
			return m.bug
		}
		f.mu.Lock()
		f.notes.addAll(m.notes)
		f.mu.Unlock()
		if err := use(m); err != nil {
			return err
		}
	}
	return nil
}

// listEach lists every so many modules, from the first on.
func (l *lister) listEach(first, step, n int, to chan<- *moduleList, done <-chan struct{}) {
	for i := first; i < n; i += step {
		m := l.moduleSafely(i)
		m.notes, l.f.notes = l.f.notes, &notes{}
		select {
		case to <- m:
		case <-done:
			return
		}
	}
}

// moduleSafely lists a module in a goroutine whose panic would end the program.
func (l *lister) moduleSafely(i int) *moduleList {
	m := &moduleList{}
	err := func() (err error) {
		defer bug.Catch(&err)
		m = l.module(i)
		return nil
	}()
	m.bug = err
	return m
}

// forks makes a File for each goroutine of a listing of n modules.
func (f *File) forks() (n int, out []*File) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n = len(f.mods())
	held := f.allRecords()
	workers := min(runtime.GOMAXPROCS(0), maxWorkers, n)
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
