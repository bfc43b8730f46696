package pdb

import (
	"crashglass/core/base/ranges"
	"crashglass/core/stack/symbolize"
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

// A moduleList is the list of one module.
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

	lines room[symbolize.Line]
	named room[symbolize.InlineCall]
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
			out.functions = append(out.functions, l.describe(u, b, n, p, own.of(j)))
		}
	}
	out.covered = f.coveredIn(u)
	return out
}

// body reads the record of a function that is listed. Most are needed once;
// thousands of parts may have the record of one function.
func (l *lister) body(u *unit, fn function) *body {
	if fn.part {
		return l.f.body(u, fn.at)
	}
	return l.f.readBody(u, fn.at)
}

// coveredIn is the code that functions of a unit have.
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
