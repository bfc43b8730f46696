package pdb

import (
	"slices"

	"crashglass/core/ranges"
	"crashglass/core/symbolize"
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

// A moduleList is what is listed of one module.
type moduleList struct {
	functions []symbolize.Function
	covered   *ranges.Table // code that its functions have
	notes     *notes
	bug       error // a panic while they were listed
}

// A lister lists the functions of modules, one after the other.
type lister struct {
	f     *File
	calls callList
	chain []*site
	cuts  []uint32
	lines room[symbolize.Line]
	named room[symbolize.InlineCall]
}

// module lists the functions of a module that answer for their first byte.
func (l *lister) module(i int) *moduleList {
	f, out := l.f, &moduleList{}
	u, ok := f.units.get(i)
	if !ok {
		u = f.readUnit(i) // it is needed once
	}
	for j, fn := range u.funcs {
		owner, ok := f.owners().Find(uint64(fn.start))
		if !ok || int(owner.Value) != i {
			continue
		}
		if s, ok := u.byAddr.Find(uint64(fn.start)); !ok || int(s.Value) != j {
			continue
		}
		b := f.readBody(u, fn.at)
		if b.name == "" {
			continue
		}
		n := f.naming(u, j, b)
		for _, p := range f.addr.pieces(fn.start, fn.end) {
			out.functions = append(out.functions, l.describe(u, b, n, p))
		}
	}
	out.covered = f.coveredIn(u)
	return out
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

// describe lists the lines and inlined calls of a run of the image.
func (l *lister) describe(u *unit, b *body, n named, p piece) symbolize.Function {
	f := l.f
	fn := symbolize.Function{
		Name: n.name, ParamSize: n.params, Multiple: n.multiple,
		Start: uint64(p.start), Size: uint64(p.end - p.start),
	}
	start, end := p.from, p.from+(p.end-p.start)
	l.calls.reset()
	rows := u.lines.in(start, end)
	l.cuts = b.cuts(rows, start, end, l.cuts[:0])
	fn.Lines = l.lines.take(len(l.cuts))
	for i, from := range l.cuts[:len(l.cuts)-1] {
		to := l.cuts[i+1]
		leaf, known := u.lines.at(from)
		l.chain = b.chain(from, l.chain[:0])
		for depth, s := range l.chain {
			l.calls.add(call{depth, s.id, leaf.file, leaf.line, known}, uint64(from-start+p.start), uint64(to-from))
			leaf, known = s.row(from)
		}
		if known && leaf.line != 0 {
			fn.Lines = addLine(fn.Lines, symbolize.Line{
				Start: uint64(from - start + p.start), Size: uint64(to - from), File: f.fileName(u, leaf.file), Line: leaf.line,
			})
		}
	}
	l.lines.keep(fn.Lines)
	fn.Inlines = l.named.take(len(l.calls.list))
	for i, c := range l.calls.list {
		in := symbolize.InlineCall{Depth: c.depth, Function: f.inlineName(u, c.id), CallLine: c.line, Ranges: l.calls.ranges[i]}
		if c.known {
			in.CallFile = f.fileName(u, c.file)
		}
		fn.Inlines = append(fn.Inlines, in)
	}
	l.named.keep(fn.Inlines)
	return fn
}

// cuts are the addresses at which anything changes, from start to end. They
// are appended to out, which is empty.
func (b *body) cuts(lines []lineRow, start, end uint32, out []uint32) []uint32 {
	out = append(out, start, end)
	add := func(rows []lineRow) {
		for _, r := range rows {
			out = append(out, r.start, r.end)
		}
	}
	add(lines)
	b.site.each(func(s *site) { add(s.rows) })
	out = slices.DeleteFunc(out, func(a uint32) bool { return a < start || a > end })
	slices.Sort(out)
	return slices.Compact(out)
}

// each calls do for each inlined call inside s.
func (s *site) each(do func(*site)) {
	for _, child := range s.children {
		do(child)
		child.each(do)
	}
}

// addLine appends a line, to the last one if it goes on.
func addLine(lines []symbolize.Line, l symbolize.Line) []symbolize.Line {
	if n := len(lines); n > 0 {
		last := &lines[n-1]
		if last.Start+last.Size == l.Start && last.File == l.File && last.Line == l.Line {
			last.Size += l.Size
			return lines
		}
	}
	return append(lines, l)
}

// EachPublic lists the symbols that are code, except those at the start of a
// function, which say no more than it does.
func (f *File) EachPublic(add func(symbolize.Public) error) error {
	for _, p := range f.publicsListed() {
		if err := add(p); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) publicsListed() (out []symbolize.Public) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held = f.allRecords()
	defer func() { f.held = nil }()
	functions := f.allFunctions()
	list := f.publics()
	for i := 0; i < len(list); {
		rva := list[i].rva
		for i < len(list) && list[i].rva == rva {
			i++
		}
		if _, in := functions.Find(uint64(rva)); in {
			continue
		}
		n := f.publicNamed(rva)
		if start, ok := f.addr.translate(rva); ok && n.name != "" {
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
