package pdb

import (
	"slices"

	"crashglass/core/base/ranges"
	"crashglass/core/stack/symbolize"
)

// describe lists the lines and inlined calls of a stretch of the image, where
// the function has its code for itself.
func (l *lister) describe(u *unit, b *body, n named, p piece, own []ranges.Range) symbolize.Function {
	fn := symbolize.Function{
		Name: n.name, ParamSize: n.params, Multiple: n.multiple,
		Start: uint64(p.start), Size: uint64(p.end - p.start),
	}
	l.calls.reset()
	l.listed, l.last = l.listed[:0], lineRow{}
	if p.parts == nil {
		l.within(u, b, moved{from: p.start, start: p.start, size: p.end - p.start}, own)
	}
	for _, q := range p.parts {
		l.within(u, b, q, own)
	}
	fn.Lines, fn.Inlines = slices.Clone(l.listed), l.inlines(u)
	return fn
}

// moved lists the lines and inlined calls of code that was moved as one.
func (l *lister) moved(u *unit, b *body, q moved) {
	rows := u.lines.in(q.from, q.from+q.size)
	if !l.f.addr.mayList(len(rows)) {
		return
	}
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

func (l *lister) inlines(u *unit) []symbolize.InlineCall {
	out := make([]symbolize.InlineCall, 0, len(l.calls.list))
	for i, c := range l.calls.list {
		in := symbolize.InlineCall{Depth: c.depth, Function: l.f.inlineName(u, c.id), CallLine: c.line, Ranges: l.calls.ranges[i]}
		if c.known {
			in.CallFile = l.f.fileName(u, c.file)
		}
		out = append(out, in)
	}
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

// A call is an inlined call, without its addresses.
type call struct {
	depth      int
	id         uint32
	file, line uint32 // where it was called, if that is known
	known      bool
}

type callList struct {
	list   []call
	ranges [][]symbolize.Range
	index  map[call]int
}

// reset empties the list. What was made of it stays as it is.
func (l *callList) reset() {
	if l.index == nil || len(l.index) > 1000 {
		l.index = map[call]int{}
	}
	clear(l.index)
	l.list, l.ranges = l.list[:0], l.ranges[:0]
}

func (l *callList) add(c call, start, size uint64) {
	i, ok := l.index[c]
	if !ok {
		i = len(l.list)
		l.index[c] = i
		l.list, l.ranges = append(l.list, c), append(l.ranges, []symbolize.Range{{Start: start, Size: size}})
		return
	}
	if r := l.ranges[i]; len(r) > 0 && r[len(r)-1].Start+r[len(r)-1].Size == start {
		r[len(r)-1].Size += size
		return
	}
	l.ranges[i] = append(l.ranges[i], symbolize.Range{Start: start, Size: size})
}
