package analyze

import (
	"crashglass/core/cause/crash"
	"crashglass/core/cause/waits"
	"crashglass/core/machine/disasm"
	"crashglass/core/report"
)

// waits finds what threads wait for. A thread with an exception waits only if its system call
// proves it, as in a hung process that a signal ended.
func (a *analysis) waits(r *report.Report) {
	in := &waits.Input{OS: a.os, Memory: a.read, Decode: disasm.Decode, Threads: make([]waits.Thread, len(r.Threads))}
	for i := range r.Threads {
		in.Threads[i] = waits.Thread{ID: r.Threads[i].ID, Stopped: r.Threads[i].Crashed}
		if a.waitable(&r.Threads[i]) {
			a.waiter(i, r.Threads[i].Frames, &in.Threads[i])
		}
	}
	list := waits.Find(in)
	hangs := !a.crashed() || a.p.Subject >= 0 && list[a.p.Subject] != nil
	if hangs && a.opt.Threads.kind == crashingThread {
		a.others(r, in)
		list = waits.Find(in)
	}
	for i, w := range list {
		if w != nil {
			r.Threads[i].Waits = a.wait(w)
			if !r.Threads[i].Crashed {
				r.Threads[i].State = ptr(stateOf(w.Kind))
			}
		}
	}
	if hangs {
		a.nameLocks(r, list)
	}
	if a.opt.Threads.kind != oneThread { // the result would say that all others do not wait
		r.Hang = a.hang(list, in.Threads)
	}
}

// others walks the innermost frames of the threads that Options do not select, which show what they wait for.
func (a *analysis) others(r *report.Report, in *waits.Input) {
	for i := range r.Threads {
		if t := &a.p.Threads[i]; r.Threads[i].End.Kind == report.NotWalked && t.Registers != nil && len(t.Frames) == 0 {
			input := a.input(t.Registers)
			input.Frames, input.Explain = min(input.Frames, waitDepth), false
			var frames []report.Frame
			a.walked[i], frames, _ = a.follow(input, t.Fault, a.ofThread(input.Arch))
			a.waiter(i, frames, &in.Threads[i])
		}
	}
}

// waitable reports whether a thread was walked.
func (a *analysis) waitable(t *report.Thread) bool {
	return !t.Writer && t.End.Kind != report.NotWalked
}

// waitDepth is the number of innermost frames that package waits gets.
const waitDepth = 16

func (a *analysis) waiter(i int, frames []report.Frame, out *waits.Thread) {
	ctx := a.p.Threads[i].Registers
	if ctx == nil {
		return
	}
	out.Arch, out.Regs = ctx.Arch, &ctx.Regs
	out.Call = a.p.Threads[i].Call
	n := 0
	for n < min(len(frames), waitDepth) && !frames[n].Guess {
		n++
	}
	out.Frames = frames[:n]
}

func (a *analysis) wait(w *waits.Wait) *report.Wait {
	out := &report.Wait{
		Kind: report.WaitKind(w.Kind), Call: some(w.Call), Function: some(a.budget.name(w.Function)), Library: string(w.Library),
		Descriptor: w.Descriptor, Holder: w.Holder, Evidence: []report.WaitEvidence{},
	}
	if w.Object != nil {
		out.Object = ptr(a.addr(*w.Object))
	}
	if w.Thread >= 0 {
		out.Thread = &w.Thread
	}
	if w.ThreadID != 0 {
		out.ThreadID = &w.ThreadID
	}
	for _, e := range w.Evidence {
		out.Evidence = append(out.Evidence, a.observed(e))
	}
	return out
}

// observed converts one observation. A word has the width of its size, a register that of an
// address, and other values have no padding.
func (a *analysis) observed(e waits.Evidence) report.WaitEvidence {
	out := report.WaitEvidence{Kind: string(e.Kind), Name: a.budget.name(e.Name), Size: e.Size, Meaning: report.WaitMeaning(e.Meaning)}
	switch e.Kind {
	case waits.Function:
		out.Frame = &e.Frame
		return out
	case waits.Word:
		out.Value = ptr(report.Addr(e.Value, e.Size))
	case waits.Register:
		out.Value = ptr(a.addr(e.Value))
	default:
		out.Value = ptr(report.Hex(e.Value))
	}
	if e.Kind == waits.Word || e.Kind == waits.Code {
		out.Address = ptr(a.addr(e.Address))
	}
	return out
}

func (a *analysis) hang(list []*waits.Wait, threads []waits.Thread) *report.Hang {
	in := &crash.Input{OS: a.os, Modules: a.modules, System: a.isSystem}
	h := &report.Hang{Threads: len(list), Cycles: waits.Cycles(list), Functions: [][]string{}, Behind: []int{}}
	for _, ring := range h.Cycles {
		var functions []string
		for _, i := range ring {
			functions = append(functions, crash.OwnFunction(in, threads[i].Frames))
		}
		h.Functions = append(h.Functions, functions)
	}
	for _, w := range list {
		if w != nil {
			h.Waiting++
		}
	}
	if h.Waiting == 0 {
		return nil
	}
	if h.Cycles == nil { // the schema has a list, never null
		h.Cycles = [][]int{}
	}
	h.Behind = append(h.Behind, waits.Behind(list, h.Cycles)...)
	return h
}

func crashWaits(r *report.Report) (out crash.Waits) {
	if r.Hang == nil {
		return out
	}
	out.Waiting, out.Threads = r.Hang.Waiting, r.Hang.Threads
	for _, ring := range r.Hang.Cycles {
		var ids []uint32
		for _, i := range ring {
			ids = append(ids, r.Threads[i].ID)
		}
		out.Rings = append(out.Rings, ids)
	}
	return out
}
