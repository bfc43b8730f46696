package analyze

import (
	"bytes"
	"cmp"

	"crashglass/core/cause/crash"
	"crashglass/core/cause/signature"
	"crashglass/core/report"
	"crashglass/core/runtimes"
)

// merge puts the calls of a task into the native frames that run them, if each run of calls has its frame. The native frames stay
// as they are: the calls come before the inlined ones.
func (a *analysis) merge(row *runtimes.Runtime, found *runtimes.Found, t *runtimes.Task, r *report.Report) {
	if row.Native == "" || t.Thread == 0 || !t.Whole {
		return
	}
	thread := a.p.ThreadIndex(t.Thread)
	frames := r.Threads[thread].Frames
	for i, n := range a.runningFrames(row, t, thread, frames) {
		f := &frames[n]
		var calls []report.Inline
		for _, c := range t.Runs[i] {
			if !a.budget.room(inlineText + len(c.Function) + len(c.File)) {
				break
			}
			call := report.Inline{Function: some(c.Function), File: some(c.File), Kind: report.FrameKind(row.Frame)}
			call.Line, call.Column = nonzero(c.Line), nonzero(c.Column)
			call.Library = !signature.IsOwn(&crash.Row{Frame: f, Inline: &call})
			if a.opt.Variables != nil && !a.budget.noValues() {
				call.Variables = a.ofCall(found, &c, firstElements)
			}
			calls = append(calls, call)
		}
		f.Inlines = append(calls, f.Inlines...)
	}
}

// runningFrames returns the indexes of the native frames that run the calls of a task, nil if they are not known.
func (a *analysis) runningFrames(row *runtimes.Runtime, t *runtimes.Task, thread int, frames []report.Frame) []int {
	at := t.Frames
	if at == nil {
		at = framesOf(row.Native, frames)
	}
	if len(at) != len(t.Runs) {
		at = a.framesWith(t.Entries, thread)
	}
	if len(at) != len(t.Runs) {
		return nil
	}
	return at
}

// framesOf returns the indexes of a function's frames.
func framesOf(function string, frames []report.Frame) (at []int) {
	for i := range frames {
		if f := &frames[i]; f.Function != nil && *f.Function == function && !f.Guess && f.Certainty.Certain() {
			at = append(at, i)
		}
	}
	return at
}

// framesWith returns the indexes of the frames that have these words of a thread's stack, which are in their order; nil if one has none. Programs without symbols
// do not name the interpreter, nor the part of it that the compiler has split off.
func (a *analysis) framesWith(words []uint64, thread int) (at []int) {
	walked := a.walked[thread]
	pointer := func(n int) uint64 { return walked[n].Regs.Value(a.p.Arch.SP) }
	n := 0
	for _, word := range words {
		for n+1 < len(walked) && pointer(n+1) <= word {
			n++
		}
		if n+1 >= len(walked) || pointer(n) == 0 || pointer(n) > word || walked[n+1].Guess || len(at) > 0 && at[len(at)-1] == n {
			return nil
		}
		at = append(at, n)
	}
	return at
}

// interpreted adds the calls and the exception of a task.
func (a *analysis) interpreted(row *runtimes.Runtime, t *runtimes.Task, out *report.Task) {
	for _, run := range t.Runs {
		for _, c := range run {
			if !a.budget.room(inlineText + len(c.Function) + len(c.File)) {
				break
			}
			f := report.Frame{
				Index: len(out.Frames), Kind: report.FrameKind(row.Frame), Trust: report.TrustPrewalked, FoundBy: report.ByRuntime, Offset: a.addr(c.Instruction),
				Function: some(c.Function), File: some(c.File), Certainty: report.NameNone, MissingSymbols: c.Function == "",
			}
			if c.Function != "" {
				f.Certainty = report.NameInside
			}
			f.Line, f.Column = nonzero(c.Line), nonzero(c.Column)
			out.Frames = append(out.Frames, f)
		}
	}
	if out.End.Kind = report.RuntimeCut; t.Whole {
		out.End = report.End{Kind: report.RuntimeStart, Complete: true}
	}
	if e := t.Exception; e != nil {
		if name := cmp.Or(e.Name, a.typeName(e.Type)); name != "" {
			out.Exception = &report.TaskException{Type: name, Message: e.Message, Handled: e.Handled}
		}
	}
}

// nonzero is nil for a line or a column that is not known.
func nonzero(n uint32) *uint32 {
	if n == 0 {
		return nil
	}
	return &n
}

const maxTypeName = 256

// typeName reads the name of a type. Those of a runtime's own types are constants in its file.
func (a *analysis) typeName(addr uint64) string {
	b := a.read.bytes(addr, maxTypeName)
	end := bytes.IndexByte(b, 0)
	if end <= 0 || bytes.ContainsFunc(b[:end], unprintable) {
		return ""
	}
	return string(b[:end])
}
