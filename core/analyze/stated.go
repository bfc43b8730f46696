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
	names := f.Stated
	if names.Place != process.Absolute {
		out.Offset = ""
	}
	if names.Module != "" {
		out.Module = some(names.Module)
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
