package analyze

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"crashglass/core/cause/crash"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/runtimes"
	"crashglass/core/runtimes/goroutines"
	"crashglass/core/runtimes/managed"
	"crashglass/core/stack/unwind"
)

// maxTaskFrames bounds the frames of one task. Stacks of goroutines may be deep, and there may be many.
const maxTaskFrames = 1 << 10

// tasks lists the tasks of all runtimes with their stacks, and merges interpreted calls into the stacks of threads. Tasks belong to
// reports of all threads.
func (a *analysis) tasks(r *report.Report) {
	whole := a.opt.Threads.kind == allThreads
	for _, row := range a.runtimes() {
		if !whole && row.Native == "" {
			continue
		}
		a.notes.stage(row.Name, func() {
			if row.Walked != nil && a.p.Arch != nil {
				a.found[row.Name] = row.Walked(a.target(r))
			}
			found := a.find(&row)
			if found == nil {
				return
			}
			if found.Note != "" {
				a.notes.odd(row.Name, found.Note)
			}
			stacks := a.taskStacks()
			for i := range found.Tasks {
				if a.stopped(i, len(found.Tasks)) {
					return
				}
				a.merge(&row, found, &found.Tasks[i], r)
				if whole {
					r.Tasks = append(r.Tasks, a.task(&row, &found.Tasks[i], r, stacks))
				}
			}
		})
	}
}

// runtimes are the rows of all runtimes, in the order of the report's tasks.
func (a *analysis) runtimes() []runtimes.Runtime {
	return slices.Concat([]runtimes.Runtime{goroutines.Runtime()}, a.opt.Runtimes, managed.Runtimes())
}

// find returns the tasks of a runtime, nil if it is not in the process. Those of a runtime with Walked are found for each report.
func (a *analysis) find(row *runtimes.Runtime) *runtimes.Found {
	found, searched := a.found[row.Name]
	if !searched && row.Find != nil {
		found = row.Find(a.p)
		a.found[row.Name] = found
	}
	return found
}

// target returns the process with the walked stacks.
func (a *analysis) target(r *report.Report) *runtimes.Target {
	t := &runtimes.Target{Process: a.p, Bytes: a.read.bytes, Data: a.data}
	for i := range a.p.Threads {
		walked := a.walked[i]
		s := runtimes.Stack{Thread: a.p.Threads[i].ID}
		for n := range min(len(walked), len(r.Threads[i].Frames)) {
			f, named := &walked[n], &r.Threads[i].Frames[n]
			native := runtimes.Native{Instruction: f.Instruction, Module: named.Module != nil}
			if named.Function != nil && named.Certainty.Certain() {
				native.Function = *named.Function
			}
			if fp, known := f.Regs.Get(a.p.Arch.FP); known && !f.Guess {
				native.Pointer = fp
			}
			if sp, known := f.Regs.Get(a.p.Arch.SP); known && !f.Guess {
				native.Stack = sp
			}
			s.Frames = append(s.Frames, native)
		}
		t.Stacks = append(t.Stacks, s)
	}
	return t
}

// data calls each for the variables whose linkage names begin with prefix, of the module that has an address.
func (a *analysis) data(addr uint64, prefix string, each func(name string, addr uint64)) {
	m := a.modules.At(addr)
	if m == nil {
		return
	}
	if names := a.dataNames(m); names != nil {
		names.EachData(prefix, func(name string, rel uint64) { each(name, m.Base+rel) })
	}
}

// goProgram returns what Go's table in the memory of a program of Go says, nil for other modules. A sanitized dump does not have it, and its stacks are
// walked without it.
func (a *analysis) goProgram(m *module.Module) Names {
	images, ok := a.lookup.syms.(Imager)
	if !ok || a.opt.Walked != nil || m.Offsets != module.FromBase {
		return nil
	}
	row := goroutines.Runtime()
	if found := a.find(&row); found == nil || found.Module != m.Base {
		return nil
	}
	return images.GoTable(captured{a.p.Memory, m.Base, nil}, int64(m.Span()), m.Base, a.p.Arch.Name)
}

// mainGoroutine is the number of the goroutine that runs main.main.
const mainGoroutine = 1

// goroutineOfCrash returns a goroutine with its stack, nil if there is none.
func (a *analysis) goroutineOfCrash(r *report.Report, which crash.WhichGoroutine) *crash.Goroutine {
	row := goroutines.Runtime()
	found := a.find(&row)
	if found == nil || a.p.Subject < 0 {
		return nil
	}
	thread := a.p.Threads[a.p.Subject].ID
	i := slices.IndexFunc(found.Tasks, func(t runtimes.Task) bool {
		switch which {
		case crash.MainGoroutine:
			return t.ID == mainGoroutine
		case crash.CallingGoroutine:
			return t.Thread == thread && !t.Running
		default:
			return t.Thread == thread && t.Running
		}
	})
	if i < 0 {
		return nil
	}
	t := a.task(&row, &found.Tasks[i], r, nil)
	return &crash.Goroutine{ID: t.ID, Address: found.Tasks[i].Address, State: string(t.State), Frames: crash.Rows(t.Frames)}
}

// thrown returns the exception of an interpreter that ends the program on the subject's thread, nil if there is none.
func (a *analysis) thrown() *crash.ScriptException {
	if a.p.Subject < 0 {
		return nil
	}
	for _, row := range a.runtimes() {
		found := a.found[row.Name]
		for i := 0; found != nil && i < len(found.Tasks); i++ {
			t := &found.Tasks[i]
			if e := t.Exception; t.Thread == a.p.Threads[a.p.Subject].ID && e != nil && e.Fatal {
				return &crash.ScriptException{Language: report.FrameKind(row.Frame).Language(), Type: cmp.Or(e.Name, a.typeName(e.Type)), Message: e.Message}
			}
		}
	}
	return nil
}

// task makes a task of the report. Without stacks, its frames are as those of a thread.
func (a *analysis) task(row *runtimes.Runtime, g *runtimes.Task, r *report.Report, stacks *taskStacks) report.Task {
	out := report.Task{Kind: report.TaskKind(row.Task), ID: g.ID, State: report.TaskState(g.State), Locked: g.Locked, Frames: []report.Frame{}}
	if g.Thread != 0 {
		out.Thread = ptr(a.p.ThreadIndex(g.Thread))
	}
	if row.Native != "" {
		a.interpreted(row, g, &out)
		return out
	}
	frames := a.running(g, out.Thread, r, &out.End)
	switch {
	case frames != nil || g.Regs.Known() == 0:
		out.Frames = taskRows(frames)
	case stacks == nil:
		_, frames, out.End = a.follow(a.taskInput(g), nil, a.ofThread(a.p.Arch))
		out.Frames = taskRows(frames)
	default:
		_, frames, out.End = a.follow(a.taskInput(g), nil, stacks.naming)
		out.Frames = stacks.rows(frames)
	}
	if g.Creator != 0 {
		out.Creator = some(a.creator(g.Creator))
	}
	if g.Parent != 0 {
		out.CreatorID = &g.Parent
	}
	a.kept(g, &out)
	if g.Wait != nil {
		out.Waits = &report.TaskWait{Channels: []report.Channel{}}
		for _, c := range g.Wait.Channels {
			out.Waits.Channels = append(out.Waits.Channels, report.Channel{Address: a.addr(c.Address), Sends: c.Send, Buffered: c.Buffered, Size: c.Size})
		}
	}
	return out
}

// taskInput begins the walk of a task that no thread runs.
func (a *analysis) taskInput(g *runtimes.Task) unwind.Input {
	input := a.input(&process.Registers{Arch: a.p.Arch, Regs: g.Regs})
	input.Called, input.Explain, input.Top = true, false, g.High
	input.Frames = min(input.Frames, maxTaskFrames)
	return input
}

// running returns the frames of a running goroutine: those of its thread that are on its stack, or nil if the walk of the thread
// did not reach it.
func (a *analysis) running(g *runtimes.Task, thread *int, r *report.Report, end *report.End) []report.Frame {
	if !g.Running || thread == nil {
		return nil
	}
	walked := a.walked[*thread]
	on := func(f unwind.Frame) bool {
		sp, ok := f.Regs.Get(a.p.Arch.SP)
		return ok && sp > g.Low && sp <= g.High
	}
	i := slices.IndexFunc(walked, on)
	if i < 0 {
		return nil
	}
	n := slices.IndexFunc(walked[i:], func(f unwind.Frame) bool { return !on(f) })
	if n < 0 {
		n, *end = len(walked)-i, r.Threads[*thread].End
		end.Evidence = nil
	}
	return r.Threads[*thread].Frames[i:min(i+n, len(r.Threads[*thread].Frames))]
}

// taskRows returns the frames of a goroutine, as a traceback has them: inlined calls come first.
func taskRows(frames []report.Frame) []report.Frame {
	count := 0
	for i := range frames {
		count += len(frames[i].Inlines) + 1
	}
	out := make([]report.Frame, 0, count)
	for _, f := range frames {
		calls := f.Inlines
		f.Kind, f.Inlines, f.Registers, f.Evidence, f.Variables = report.GoFrame, nil, nil, nil, nil
		for _, call := range calls {
			in := f
			in.Function, in.File, in.Line, in.Spelling, in.Inlined = call.Function, call.File, call.Line, call.Spelling, true
			in.FunctionOffset, in.LineOffset = nil, nil
			in.Index = len(out)
			out = append(out, in)
		}
		f.Index = len(out)
		out = append(out, f)
	}
	return out
}

// kept adds what a task has deferred, and its labels, as far as they can be read.
func (a *analysis) kept(g *runtimes.Task, out *report.Task) {
	for _, function := range g.Deferred {
		code, _ := a.read.Word(function, a.p.Arch.Word)
		if name := a.functionFrom(code); name != "" && a.budget.room(inlineText+len(name)) {
			out.Deferred = append(out.Deferred, name)
		}
	}
	for _, l := range g.Labels {
		name, okName := a.textAt(l.Name)
		value, okValue := a.textAt(l.Value)
		if okName && okValue && a.budget.room(inlineText+len(name)+len(value)) {
			out.Labels = append(out.Labels, report.TaskLabel{Name: name, Value: value})
		}
	}
}

// textAt reads a text of a runtime.
func (a *analysis) textAt(t runtimes.Text) (string, bool) {
	b := a.read.bytes(t.Address, int(t.Size))
	return string(b), uint64(len(b)) == t.Size && utf8.Valid(b)
}

// creator names the function of the call before an address, if it is certain.
func (a *analysis) creator(addr uint64) string {
	f := a.frame(a.p.Arch, 0, &unwind.Frame{Frame: process.Frame{Instruction: addr - 1, ReturnAddress: addr, Module: a.modules.At(addr - 1)}})
	if f.Function == nil || f.Uncertain(false) {
		return ""
	}
	return *f.Function
}
