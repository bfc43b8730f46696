package analyze

import (
	"crashglass/core/cause/crash"
	"crashglass/core/process"
	"crashglass/core/report"
)

// crash analyzes the crash. It runs after the walk, because the verdict names a frame.
func (a *analysis) crash(r *report.Report) {
	in := a.crashInput(r)
	found := crash.Analyze(in)
	r.CrashInfo = a.crashInfo(found)
	r.CrashInfo.Assertion = some(a.message)
	in, found = crash.Handled(in, found)
	a.notes.stage("origin", func() { in.Origin = a.trail(found, firstFrame(in)) })
	r.CrashInfo.Origin = in.Origin
	if a.p.Subject >= 0 {
		r.CrashInfo.CrashingThread = ptr(a.p.Subject)
	}
	r.Verdict = verdict(in, crash.Verdict(in, found))
}

// firstFrame is the place on the stack of the frame with which an input begins.
func firstFrame(in *crash.Input) int {
	if in.Skipped == 0 || len(in.Frames) == 0 {
		return 0
	}
	return in.Frames[0].Index
}

// crashInput collects the input of package crash. Without a crashed thread the first thread is
// used.
func (a *analysis) crashInput(r *report.Report) *crash.Input {
	i := max(a.p.Subject, 0)
	in := &crash.Input{
		OS: a.os, Arch: a.p.Arch, Decode: a.decode,
		Memory: a.read, Regions: a.p.Regions,
		Modules: a.modules, Unloaded: a.p.Unloaded, System: a.isSystem,
		ThreadIndex: a.p.Subject, Assertion: a.message, Requested: a.p.Requested,
		Lost:     a.p.EventLost,
		Crashpad: a.p.Crashpad, Annotations: crashAnnotations(r.Annotations), File: a.fileState(),
	}
	in.Code = a.changed
	in.Argument = a.argument
	in.Datum = a.datum
	in.Enumerator = a.enumerator
	in.Goroutine = func(which crash.WhichGoroutine) *crash.Goroutine { return a.goroutineOfCrash(r, which) }
	in.Script = a.thrown()
	in.Check, in.Waits = checks[a.p.Check], crashWaits(r)
	in.KernelSignal = in.Crashpad || a.p.Origin.KernelSignal
	in.Debugger = a.p.Origin.Debugger
	in.BigEndian = a.p.BigEndian
	if r.PID != nil {
		in.PID = *r.PID
	}
	if e := a.p.Event; e.IsBugCheck() {
		in.Stop = &crash.Stop{Code: e.Code, Params: e.Parameters, Driver: e.Driver, Hardware: e.Hardware, About: e.About}
		in.Exception = crash.CauseOf(in.Stop, e.Record)
	} else if e != nil {
		in.Exception = &crash.Exception{
			Code: e.Code, Flags: e.Flags, Address: e.Address, Params: e.Parameters,
			Unknown: a.p.Lacks.Has(process.SignalNumber), Access: e.Access, NoAddress: e.NoAddress, Removed: e.Removed,
		}
	}
	in.Problem = a.p.Problem
	for n := range a.p.Threads {
		if role := a.p.Threads[n].Role; role != process.OfThread {
			in.Stacks = append(in.Stacks, crash.Stack{Role: role, Frames: crash.Rows(r.Threads[n].Frames)})
		}
	}
	if i >= len(a.p.Threads) {
		return in
	}
	ctx := a.p.Threads[i].Registers
	if in.Stop != nil {
		ctx = a.p.Threads[i].Fault // the others are of the code that reports the fault
	}
	if ctx != nil {
		in.Regs, in.Arch, in.Removed, in.Texts = &ctx.Regs, ctx.Arch, ctx.Removed, ctx.Texts
	}
	if base, size, ok := a.stackRange(i); ok {
		in.StackLow, in.StackHigh = base, base+size
	}
	in.Reduced = a.blank != nil
	in.TEB, in.ThreadName = a.p.Threads[i].TEB, a.p.Threads[i].Name
	in.Frames = crash.Rows(r.Threads[i].Frames)
	in.Waiting = r.Threads[i].Waits != nil || isBlocked(r.Threads[i].Frames)
	return in
}

// checks are the kinds of failed checks in package crash's words.
var checks = map[process.Check]crash.Check{process.InvalidArgument: crash.InvalidArgument, process.PureVirtualCall: crash.PureVirtualCall}

func crashAnnotations(list []report.Annotation) []crash.Annotation {
	out := make([]crash.Annotation, 0, len(list))
	for _, a := range list {
		out = append(out, crash.Annotation{Name: a.Name, Value: a.Value})
	}
	return out
}

// lastErrorText returns the name of an error code of Windows, as GetLastError has it.
func lastErrorText(v uint32) string { return crash.LastError(v) }
