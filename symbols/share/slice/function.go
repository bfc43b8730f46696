package slice

import (
	"cmp"

	"crashglass/core/base/sorting"
	"crashglass/core/stack/symbolize"
)

// A function has the lines and inlined calls at some addresses of a function.
type function struct {
	symbolize.Function
	calls map[call]*symbolize.InlineCall
}

// Calls with the same values become one: no address tells them apart.
type call struct {
	depth int
	name  string
	file  string
	line  uint32
}

func newFunction(loc *symbolize.Location, name string, params uint32) *function {
	return &function{
		Function: symbolize.Function{Name: name, Start: loc.Start, Size: loc.Size, ParamSize: params, Multiple: loc.Multiple},
		calls:    map[call]*symbolize.InlineCall{},
	}
}

// add adds the line and the inlined calls at an address. Addresses come in ascending order.
func (f *function) add(rel uint64, loc *symbolize.Location) {
	file, line := loc.File, loc.Line
	for i := len(loc.Inlines) - 1; i >= 0; i-- { // the outermost first
		in := &loc.Inlines[i]
		f.inline(rel, call{len(loc.Inlines) - 1 - i, in.Function, file, line})
		file, line = in.File, in.Line
	}
	if file == "" && line == 0 {
		return
	}
	f.line(symbolize.Line{Start: max(min(loc.LineStart, rel), loc.Start), File: file, Line: line}, rel+1)
}

// Where lines of the whole file overlap, the later one begins behind the address that was queried before.
func (f *function) line(l symbolize.Line, end uint64) {
	if n := len(f.Lines); n > 0 {
		last := &f.Lines[n-1]
		if last.File == l.File && last.Line == l.Line && l.Start <= last.Start+last.Size {
			last.Size = end - last.Start
			return
		}
		l.Start = max(l.Start, last.Start+last.Size)
	}
	l.Size = end - l.Start
	f.Lines = append(f.Lines, l)
}

func (f *function) inline(rel uint64, k call) {
	c := f.calls[k]
	if c == nil {
		c = &symbolize.InlineCall{Depth: k.depth, Function: k.name, CallFile: k.file, CallLine: k.line}
		f.calls[k] = c
	}
	if n := len(c.Ranges); n > 0 && c.Ranges[n-1].Start+c.Ranges[n-1].Size == rel {
		c.Ranges[n-1].Size++
		return
	}
	c.Ranges = append(c.Ranges, symbolize.Range{Start: rel, Size: 1})
}

func (f *function) made() *symbolize.Function {
	out := f.Function
	for _, c := range f.calls {
		out.Inlines = append(out.Inlines, *c)
	}
	sorting.Stable(out.Inlines, func(a, b symbolize.InlineCall) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Ranges[0].Start, b.Ranges[0].Start), cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.CallFile, b.CallFile), cmp.Compare(a.CallLine, b.CallLine))
	})
	return &out
}
