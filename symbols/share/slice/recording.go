package slice

import (
	"fmt"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// A recording is a Source that remembers the addresses of all queries.
type recording struct {
	analyze.Source
	queried map[uint64]bool
}

// Locate implements symbolize.Source.
func (r recording) Locate(rel uint64) (symbolize.Location, bool) {
	r.queried[rel] = true
	return r.Source.Locate(rel)
}

// CallFrame implements unwind.Rules.
func (r recording) CallFrame(rel uint64) (unwind.CallFrame, bool) {
	r.queried[rel] = true
	return r.Source.CallFrame(rel)
}

// WinFrame implements unwind.Rules.
func (r recording) WinFrame(rel uint64) (unwind.WinFrame, bool) {
	r.queried[rel] = true
	return r.Source.WinFrame(rel)
}

// Function implements unwind.Rules.
func (r recording) Function(rel uint64) (unwind.Function, bool) {
	r.queried[rel] = true
	return r.Source.Function(rel)
}

// Stacks writes each thread of a report as text, to check that slices of its symbols change no stack:
// the frames and, with names, their functions and lines. The mask is applied to names and paths; nil
// leaves them as they are.
func Stacks(r *report.Report, names bool, mask Mask) []string {
	if mask == nil {
		mask = unmasked{}
	}
	out := make([]string, len(r.Threads))
	for i := range r.Threads {
		var b strings.Builder
		for j := range r.Threads[i].Frames {
			f := &r.Threads[i].Frames[j]
			fmt.Fprintf(&b, "%s %s\n", f.Offset, f.Trust)
			if !names {
				continue
			}
			fmt.Fprintf(&b, "%s %s:%d\n", mask.Symbol(report.Text(f.Function)), mask.Path(report.Text(f.File)), number(f.Line))
			for k := range f.Inlines {
				in := &f.Inlines[k]
				fmt.Fprintf(&b, "%s %s:%d\n", mask.Symbol(report.Text(in.Function)), mask.Path(report.Text(in.File)), number(in.Line))
			}
		}
		out[i] = b.String()
	}
	return out
}

// unmasked is a Mask that leaves all names.
type unmasked struct{}

func (unmasked) Path(s string) string { return s }

func (unmasked) Symbol(s string) string { return s }

func number(n *uint32) uint32 {
	if n == nil {
		return 0
	}
	return *n
}
