package pdb

import (
	"cmp"
	"slices"

	"crashglass/core/symbolize"
)

// EachFunction lists the functions of all modules, those that Locate finds. A
// function in several places of the image is several of these.
func (f *File) EachFunction(add func(*symbolize.Function) error) error {
	f.mu.Lock()
	n := len(f.mods())
	f.mu.Unlock()
	for i := range n {
		for _, fn := range f.functionsOf(i) {
			if err := add(&fn); err != nil {
				return err
			}
		}
	}
	return nil
}

// functionsOf lists the functions of a module that answer for their first byte.
func (f *File) functionsOf(i int) (out []symbolize.Function) {
	f.mu.Lock()
	defer f.mu.Unlock()
	u := f.unit(i)
	for j, fn := range u.funcs {
		owner, ok := f.owners().find(fn.start)
		if !ok || int(owner.item) != i {
			continue
		}
		if s, ok := u.byAddr.find(fn.start); !ok || int(s.item) != j {
			continue
		}
		b := f.body(u, fn.at)
		if b.name == "" {
			continue
		}
		n := f.naming(u, j, b)
		for _, p := range f.addr.pieces(fn.start, fn.end) {
			out = append(out, f.describe(u, b, n, p))
		}
	}
	return out
}

// describe lists the lines and inlined calls of a run of the image.
func (f *File) describe(u *unit, b *body, n named, p piece) symbolize.Function {
	fn := symbolize.Function{
		Name: n.name, ParamSize: n.params, Multiple: n.multiple,
		Start: uint64(p.start), Size: uint64(p.end - p.start),
	}
	start, end := p.from, p.from+(p.end-p.start)
	calls := callList{index: map[call]int{}}
	cuts := b.cuts(u.lines.in(start, end), start, end)
	for i, from := range cuts[:len(cuts)-1] {
		to := cuts[i+1]
		leaf, known := u.lines.at(from)
		for depth, s := range b.chain(from) {
			calls.add(call{depth, s.id, leaf.file, leaf.line, known}, uint64(from-start+p.start), uint64(to-from))
			leaf, known = s.row(from)
		}
		if known && leaf.line != 0 {
			fn.Lines = addLine(fn.Lines, symbolize.Line{
				Start: uint64(from - start + p.start), Size: uint64(to - from), File: f.fileName(u, leaf.file), Line: leaf.line,
			})
		}
	}
	for i, c := range calls.list {
		in := symbolize.InlineCall{Depth: c.depth, Function: f.inlineName(u, c.id), CallLine: c.line, Ranges: calls.ranges[i]}
		if c.known {
			in.CallFile = f.fileName(u, c.file)
		}
		fn.Inlines = append(fn.Inlines, in)
	}
	return fn
}

// cuts are the addresses at which anything changes, from start to end.
func (b *body) cuts(lines []lineRow, start, end uint32) []uint32 {
	out := []uint32{start, end}
	add := func(rows []lineRow) {
		for _, r := range rows {
			out = append(out, r.start, r.end)
		}
	}
	add(lines)
	b.site.each(func(s *site) { add(s.rows) })
	out = slices.DeleteFunc(out, func(a uint32) bool { return a < start || a > end })
	slices.SortFunc(out, cmp.Compare[uint32])
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

// A call is an inlined call, without where.
type call struct {
	depth      int
	id         uint32
	file, line uint32 // where it was called, if that is known
	known      bool
}

// A callList collects the addresses of calls.
type callList struct {
	list   []call
	ranges [][]symbolize.Range
	index  map[call]int
}

func (l *callList) add(c call, start, size uint64) {
	i, ok := l.index[c]
	if !ok {
		i = len(l.list)
		l.index[c] = i
		l.list, l.ranges = append(l.list, c), append(l.ranges, nil)
	}
	if r := l.ranges[i]; len(r) > 0 && r[len(r)-1].Start+r[len(r)-1].Size == start {
		r[len(r)-1].Size += size
		return
	}
	l.ranges[i] = append(l.ranges[i], symbolize.Range{Start: start, Size: size})
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
	functions := f.allFunctions()
	list := f.publics()
	for i := 0; i < len(list); {
		rva := list[i].rva
		n := f.publicNamed(rva)
		for i < len(list) && list[i].rva == rva {
			i++
		}
		start, ok := f.addr.translate(rva)
		if _, in := functions.find(rva); !in && ok && n.name != "" {
			out = append(out, symbolize.Public{Name: n.name, Start: start, ParamSize: n.params, Multiple: n.multiple})
		}
	}
	return out
}

// allFunctions is the code that functions have. Neighbours in the image are
// of different modules, so this takes the modules in their order instead.
func (f *File) allFunctions() spans {
	var list []span
	for i := range f.mods() {
		for _, s := range f.unit(i).byAddr {
			if owner, ok := f.owners().find(s.start); ok && int(owner.item) == i {
				list = append(list, s)
			}
		}
	}
	return divide(list)
}
