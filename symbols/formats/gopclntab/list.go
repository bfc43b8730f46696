package gopclntab

import (
	"slices"

	"crashglass/core/stack/symbolize"
)

// EachFunction lists the functions with their lines and inlined calls.
func (t *Table) EachFunction(add func(*symbolize.Function) error) error {
	if t == nil {
		return nil
	}
	for i := range t.count {
		f, ok := t.function(i)
		if !ok {
			continue
		}
		out := symbolize.Function{Name: t.nameOf(&f), Start: f.start - t.opt.Base, Size: f.end - f.start}
		t.lines(&f, &out)
		t.calls(&f, &out)
		if err := add(&out); err != nil {
			return err
		}
	}
	return nil
}

// lines adds the lines of a function: the rows of its lines, split where the file changes.
func (t *Table) lines(f *function, out *symbolize.Function) {
	var files []row
	t.rows(f, f.file, func(r row) bool {
		files = append(files, r)
		return true
	})
	t.rows(f, f.line, func(r row) bool {
		for len(files) > 0 && files[0].end <= r.start {
			files = files[1:]
		}
		for n := 0; n < len(files) && files[n].start < r.end && r.value > 0; n++ {
			start, end := max(r.start, files[n].start), min(r.end, files[n].end)
			if files[n].value >= 0 {
				out.Lines = append(out.Lines, symbolize.Line{Start: start - t.opt.Base, Size: end - start, File: t.fileOf(f, uint64(files[n].value)), Line: uint32(r.value)})
			}
		}
		return true
	})
}

// calls adds the inlined calls of a function, outermost first.
func (t *Table) calls(f *function, out *symbolize.Function) {
	tree := t.inlineTree(f)
	if tree == 0 {
		return
	}
	known := map[uint64]int{} // by place of the call and depth
	t.rows(f, uint64(t.u32(f.tables+4*tableInl)), func(r row) bool {
		var chain []inlinedCall
		for addr := r.start; len(chain) < maxInlined; addr = f.start + chain[len(chain)-1].from {
			call, ok, _ := t.inlined(f, tree, addr)
			if !ok {
				break
			}
			chain = append(chain, call)
		}
		slices.Reverse(chain)
		code := symbolize.Range{Start: r.start - t.opt.Base, Size: r.end - r.start}
		for depth, call := range chain {
			key := call.from<<16 | uint64(depth)
			n, ok := known[key]
			if !ok || out.Inlines[n].Function != call.name {
				file, line := t.place(f, f.start+call.from)
				n, known[key] = len(out.Inlines), len(out.Inlines)
				out.Inlines = append(out.Inlines, symbolize.InlineCall{Depth: depth, Function: call.name, CallFile: file, CallLine: line})
			}
			out.Inlines[n].Ranges = append(out.Inlines[n].Ranges, code)
		}
		return true
	})
}
