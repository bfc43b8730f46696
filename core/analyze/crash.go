package analyze

import (
	"cmp"
	"encoding/binary"
	"slices"

	"crashglass/core/crash"
	"crashglass/core/disasm"
	"crashglass/core/minidump"
	"crashglass/core/report"
	"crashglass/core/snapshot"
)

// crash analyzes the crash. It runs after the walk, because the verdict names a frame.
func (a *analysis) crash(r *report.Report) {
	in := a.crashInput(r)
	found := crash.Analyze(in)
	r.CrashInfo = a.crashInfo(found)
	r.CrashInfo.Assertion = some(a.message)
	if a.asked >= 0 {
		r.CrashInfo.CrashingThread = ptr(a.asked)
	}
	r.Verdict = verdict(crash.Verdict(in, found))
}

// crashInput collects the input of package crash. Without a crashed thread the first thread is
// used.
func (a *analysis) crashInput(r *report.Report) *crash.Input {
	i := max(a.asked, 0)
	in := &crash.Input{
		OS: a.os, Arch: a.arch, Decode: disasm.Decode,
		Memory: a.read, Regions: a.crashRegions(),
		Modules: a.modules, Unloaded: a.unloaded,
		ThreadIndex: a.asked, Assertion: a.message, Requested: a.requested(),
		Lost:     a.exception == nil && a.file.Has(minidump.ExceptionStream),
		Crashpad: a.file.Has(minidump.CrashpadInfoStream), Annotations: crashAnnotations(r.Annotations), File: a.fileState(),
	}
	in.Check, in.Waits = a.check, crashWaits(r)
	in.KernelSignal = in.Crashpad || a.file.Origin.KernelSignal
	in.Debugger = a.file.Origin.Debugger
	in.File.Writer = cmp.Or(a.file.Origin.Writer, a.writer())
	in.BigEndian = a.file.Order() == binary.BigEndian
	if r.PID != nil {
		in.PID = *r.PID
	}
	if e := a.exception; e != nil {
		in.Exception = &crash.Exception{
			Code: e.Code, Flags: e.Flags, Address: e.Address, Params: e.Parameters,
			Unknown: a.lacks(snapshot.SignalNumber),
		}
	}
	if i >= len(a.threads) {
		return in
	}
	if ctx := a.threadContext(i); ctx != nil {
		in.Regs, in.Arch = &ctx.Regs, ctx.Arch
	}
	if base, size, ok := a.stackRange(i); ok {
		in.StackLow, in.StackHigh = base, base+size
	}
	in.TEB, in.ThreadName = a.threads[i].TEB, a.names[a.threads[i].ID]
	in.Frames = crashFrames(r.Threads[i].Frames, a.walked[i], a.modules)
	in.Waiting = r.Threads[i].Waits != nil || isBlocked(r.Threads[i].Frames)
	return in
}

// requested reports whether the dump was written on request: it has no exception, but it names a
// requesting thread.
func (a *analysis) requested() bool {
	return a.exception == nil && a.breakpad.RequestingThread != nil
}

// crashRegions are the regions in package crash's form, sorted and disjoint.
func (a *analysis) crashRegions() []crash.Region {
	out := make([]crash.Region, 0, len(a.regions))
	for i := range a.regions {
		g := &a.regions[i]
		out = append(out, crash.Region{
			Start: g.start, Last: g.last,
			Read: g.allows('r'), Write: g.allows('w'), Exec: g.allows('x'),
			Free: g.state == stateFree, Guard: g.guard, Name: g.name,
		})
	}
	slices.SortStableFunc(out, func(x, y crash.Region) int { return cmp.Compare(x.Start, y.Start) })
	return out
}

// lastErrorText returns the name of an error code of Windows, as GetLastError has it.
func lastErrorText(v uint32) string { return crash.LastError(v) }
