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

	listed []symbolize.Line // of the function that is described
	last   lineRow          // the outermost line of what was listed last, where no call is inlined

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
		b := l.body(u, fn)
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

// describe lists the lines and inlined calls of a stretch of the image.
func (l *lister) describe(u *unit, b *body, n named, p piece) symbolize.Function {
	fn := symbolize.Function{
		Name: n.name, ParamSize: n.params, Multiple: n.multiple,
		Start: uint64(p.start), Size: uint64(p.end - p.start),
	}
	l.calls.reset()
	l.listed, l.last = l.listed[:0], lineRow{}
	if p.parts == nil {
		l.moved(u, b, moved{from: p.start, start: p.start, size: p.end - p.start})
	}
	for _, q := range p.parts {
		l.moved(u, b, q)
	}
	fn.Lines = append(l.lines.take(len(l.listed)), l.listed...)
	l.lines.keep(fn.Lines)
	fn.Inlines = l.inlines(u)
	return fn
}

// moved lists the lines and inlined calls of code that was moved as one.
func (l *lister) moved(u *unit, b *body, q moved) {
	rows := u.lines.in(q.from, q.from+q.size)
	l.cuts = b.cuts(rows, q.from, q.from+q.size, l.cuts[:0])
	for i, from := range l.cuts[:len(l.cuts)-1] {
		at, size := uint64(from-q.from+q.start), uint64(l.cuts[i+1]-from)
		leaf, known := u.lines.at(from)
		own := leaf
		l.chain = b.chain(from, l.chain[:0])
		for depth, s := range l.chain {
			l.calls.add(call{depth, s.id, leaf.file, leaf.line, known}, at, size)
			leaf, known = s.row(from)
		}
		if i == 0 && len(l.chain) == 0 {
			l.reachTo(at, own)
		}
		l.last = own
		if len(l.chain) > 0 {
			l.last = lineRow{}
		}
		if known && leaf.line != 0 {
			l.listed = addLine(l.listed, symbolize.Line{Start: at, Size: size, File: l.f.fileName(u, leaf.file), Line: leaf.line})
		}
	}
}

// reachTo lets the last line reach over code that was added to the image, when
// it goes on behind it.
func (l *lister) reachTo(at uint64, row lineRow) {
	if n := len(l.listed); n > 0 && row == l.last && row.line != 0 {
		l.listed[n-1].Size = at - l.listed[n-1].Start
	}
}

// inlines are the calls that were collected.
func (l *lister) inlines(u *unit) []symbolize.InlineCall {
	out := l.named.take(len(l.calls.list))
	for i, c := range l.calls.list {
		in := symbolize.InlineCall{Depth: c.depth, Function: l.f.inlineName(u, c.id), CallLine: c.line, Ranges: l.calls.ranges[i]}
		if c.known {
			in.CallFile = l.f.fileName(u, c.file)
		}
		out = append(out, in)
	}
	l.named.keep(out)
	return out
}

// cuts are the addresses at which anything changes, from start to end. They
// are appended to out, which is empty.
func (b *body) cuts(lines []lineRow, start, end uint32, out []uint32) []uint32 {
	out = append(out, start, end)
	for _, r := range lines {
		out = append(out, max(r.start, start), min(r.end, end))
	}
	calls := b.callCuts()
	from, _ := slices.BinarySearch(calls, start)
	to, _ := slices.BinarySearch(calls, end)
	out = append(out, calls[from:to]...)
	slices.Sort(out)
	return slices.Compact(out)
}

// callCuts are the addresses at which the inlined calls of a function change,
// in order. They are found once for all of its parts.
func (b *body) callCuts() []uint32 {
	if b.cutsOfCalls == nil {
		b.cutsOfCalls = []uint32{}
		b.site.each(func(s *site) {
			for _, r := range s.rows {
				b.cutsOfCalls = append(b.cutsOfCalls, r.start, r.end)
			}
		})
		slices.Sort(b.cutsOfCalls)
		b.cutsOfCalls = slices.Compact(b.cutsOfCalls)
	}
	return b.cutsOfCalls
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
