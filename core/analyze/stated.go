package analyze

import (
	"crashglass/core/process"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// stated makes the frames that the file states for a thread. Symbols name them as they name others.
// Without symbols, the file's own names stand.
func (a *analysis) stated(i int, out *report.Thread) {
	t := &a.p.Threads[i]
	limit := unwind.MaxFrames
	if a.opt.Frames > 0 {
		limit = min(limit, a.opt.Frames)
	}
	for n := range t.Frames[:min(len(t.Frames), limit)] {
		f := &t.Frames[n]
		w := unwind.Frame{Frame: *f}
		w.Module = a.moduleAt(f.Instruction)
		if n == 0 && t.Registers != nil {
			w.Regs = t.Registers.Regs
		}
		frame := a.frame(a.p.Arch, n, &w)
		frame.Trust, frame.FoundBy, frame.ReturnAddress = report.TrustPrewalked, report.ByFile, nil
		if f.Stated != nil {
			a.nameStated(&frame, f)
		}
		a.walked[i] = append(a.walked[i], w)
		out.Frames = append(out.Frames, frame)
	}
	if out.End.Kind = report.FileStates; len(t.Frames) > limit {
		out.End = report.End{Kind: report.FrameLimit, Limit: limit}
	}
}

// nameStated adds the names that a file states. Its writer found a source line with debug information,
// which has the extents of functions, and a mere name with a symbol, which has none.
func (a *analysis) nameStated(out *report.Frame, f *process.Frame) {
	names := a.retraced(f.Stated)
	if names.Place != process.Absolute {
		out.Offset = ""
	}
	if names.Module != "" {
		if out.Module = some(names.Module); out.ModuleIndex == nil {
			out.System = isSystemPath(a.os, names.Module)
		}
	}
	if out.Function != nil {
		return
	}
	loc := symbolize.Location{
		Start: f.Instruction - names.Offset, Function: names.Function, Public: names.File == "",
		File: names.File, Line: names.Line, LineStart: f.Instruction,
	}
	for _, in := range names.Inlines {
		loc.Inlines = append(loc.Inlines, symbolize.Inline{Function: in.Function, File: in.File, Line: in.Line})
	}
	certainty := loc.Certainty(f.Instruction, symbolize.Setting{OS: a.os})
	a.locate(out, &loc, f.Instruction, certainty)
	out.MissingSymbols = out.MissingSymbols && !certainty.Certain()
}

// retraced returns the names of a frame of Java as the program has them, if a mapping for them is at hand.
func (a *analysis) retraced(names *process.Names) *process.Names {
	if a.opt.Retrace == nil || names.Place != process.Unplaced || len(names.Inlines) > 0 {
		return names
	}
	calls := a.opt.Retrace(names.Function, names.Line)
	if len(calls) == 0 {
		return names
	}
	out := process.Names{Module: names.Module, Place: names.Place}
	for i, c := range calls {
		if i == len(calls)-1 {
			out.Function, out.File, out.Line = c.Function, c.File, c.Line
			break
		}
		out.Inlines = append(out.Inlines, process.Names{Function: c.Function, File: c.File, Line: c.Line})
	}
	return &out
}
