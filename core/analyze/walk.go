package analyze

import (
	"fmt"

	"crashglass/core/cause/crash"
	"crashglass/core/cause/next"
	"crashglass/core/cause/signature"
	"crashglass/core/machine/cpu"
	"crashglass/core/machine/disasm"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/unwind"
)

// An analysis is one report being made.
type analysis struct {
	*Session
	modules *module.Map // the Session's, where files place them
	read    memory      // the Session's memory, with code from the modules' files
	lookup  *lookup
	images  *lookup // of the files with code
	code    codeCache
	opt     Options
	notes   notes
	walked  map[int][]unwind.Frame
	budget  budget
	changed crash.CodeFinder
	extents bool            // variables in memory have their address and size
	blank   *process.Memory // the Session's with placeholders, nil when nothing was removed
}

// analysis returns the state of a new report. Its symbols and budget are its own, so that one
// report cannot use up the limits of another.
func (s *Session) analysis(syms Symbols, opt Options) *analysis {
	a := &analysis{Session: s, lookup: newLookup(syms), opt: opt, walked: map[int][]unwind.Frame{}, budget: s.budget(), code: codeCache{}}
	a.blank = s.p.Memory.Placeholders()
	a.read, a.images = memory{s.p.Memory, a, opt.Read}, a.lookup
	a.lookup.memory, a.lookup.walked = s.p.Memory, opt.Walked
	a.lookup.generated.add(s.p.FunctionTables)
	a.lookup.goProgram = a.goProgram
	if opt.Code != nil {
		a.images = newLookup(opt.Code)
	}
	a.modules = a.place()
	a.lookup.objects = a.registered()
	return a
}

// Report makes a report with the given symbols; nil stands for none. It fails only when it is
// cancelled.
func (s *Session) Report(syms Symbols, opt Options) (*report.Report, error) {
	a := s.analysis(syms, opt)
	r := s.base
	threads, err := a.walkAll()
	if err != nil {
		return nil, err
	}
	r.Threads = threads
	r.ThreadCount = len(threads)
	a.notes.stage("static variables", func() { r.Globals = a.globals() })
	a.notes.stage("module list", func() { r.Modules = a.reportModules() })
	a.notes.stage("waits", func() { a.waits(&r) })
	a.tasks(&r)
	if a.cancelled() {
		return nil, ErrCancelled
	}
	if a.budget.cut {
		a.notes.odd("stacks", fmt.Sprintf("the frames have more names, registers and inlined calls than the %d MiB that a report has room for: the last ones lack them", maxText>>20))
	}
	if a.opt.Compare != nil {
		a.notes.stage("code", func() { r.CodeChanges, a.changed = a.opt.Compare(a, &r) })
	}
	a.notes.stage("crash", func() {
		a.crash(&r)
		r.Verdict.Badges = fresh(&r.Verdict)
	})
	a.notes.stage("signature", func() {
		r.Signature, r.SocorroSignature = some(signature.Of(&r)), some(signature.Socorro(&r))
	})
	r.CrashingThread = crashingCopy(&r)
	a.notes.stage("wanted symbols", func() { r.WantedSymbols = a.wanted(&r) })
	a.notes.list = append(append([]report.Note{}, s.notes.list...), a.notes.list...)
	a.notes.more += s.notes.more
	r.Notes = a.notes.all()
	if !a.notes.stage("next steps", func() {
		next.Origins(&r)
		r.NextSteps = next.Steps(&r)
	}) {
		r.Notes = a.notes.all()
	}
	return &r, nil
}

// walkAll makes every thread of the report, the crashing one first. So progress is visible, and a
// cancelled analysis has the most important stack.
func (a *analysis) walkAll() ([]report.Thread, error) {
	threads := make([]report.Thread, len(a.p.Threads))
	order := a.order()
	for n, i := range order {
		if a.stopped(n, len(order)) {
			return nil, ErrCancelled
		}
		threads[i] = a.threadSafely(i)
	}
	return threads, nil
}

// stopped reports whether the analysis is cancelled. If it is not, the caller of Report learns how far it is.
func (a *analysis) stopped(done, total int) bool {
	if a.cancelled() {
		return true
	}
	if a.opt.Progress != nil {
		a.opt.Progress(done, total)
	}
	return false
}

func (a *analysis) cancelled() bool { return a.opt.Cancelled != nil && a.opt.Cancelled() }

// order returns the indexes of all threads: the one that the dump is about, then the dump's order.
func (a *analysis) order() []int {
	order := make([]int, 0, len(a.p.Threads))
	if a.p.Subject >= 0 {
		order = append(order, a.p.Subject)
	}
	for i := range a.p.Threads {
		if i != a.p.Subject {
			order = append(order, i)
		}
	}
	return order
}

// crashed reports whether the process ended by an event or by a problem that its report states.
func (a *analysis) crashed() bool {
	return a.p.Event != nil || a.p.Problem != nil && a.p.Problem.Kind.Ends()
}

// wantsStack reports whether Options select a thread's stack.
func (a *analysis) wantsStack(i int) bool {
	switch a.opt.Threads.kind {
	case crashingThread:
		return i == max(a.p.Subject, 0)
	case oneThread:
		return i == a.opt.Threads.index
	}
	return true
}

// thread makes one thread of the report. Threads that Options do not select have no frames, and
// their end says so.
func (a *analysis) thread(i int) report.Thread {
	t := &a.p.Threads[i]
	out := report.Thread{
		ID: t.ID, Frames: []report.Frame{},
		Crashed: i == a.p.Subject && a.crashed(),
		Writer:  t.Writer,
		Stack:   a.stack(i),
		Name:    some(t.Name),
	}
	out.LastError = a.lastError(t.TEB)
	switch {
	case out.Writer:
		out.End.Kind = report.WroteDump
	case !a.wantsStack(i):
		out.End.Kind = report.NotWalked
	default:
		a.walk(i, &out)
	}
	out.FrameCount = len(out.Frames)
	if !out.Crashed { // the state of a thread that crashed is its crash
		out.State = threadState(out.Frames)
	}
	return out
}

func (a *analysis) walk(i int, out *report.Thread) {
	if len(a.p.Threads[i].Frames) > 0 {
		a.stated(i, out)
		return
	}
	ctx := a.p.Threads[i].Registers
	if ctx == nil {
		out.End.Kind = report.NoRegisters
		return
	}
	input := a.input(ctx)
	a.walked[i], out.Frames, out.End = a.follow(input, a.p.Threads[i].Fault, a.ofThread(input.Arch))
	if i == a.p.Subject {
		for n, ends := range unwind.NeverReturns(input, a.walked[i]) {
			if n < len(out.Frames) {
				out.Frames[n].NeverReturns = ends
			}
		}
	}
	for n, call := range input.Returned() {
		if a.budget.frames--; a.budget.frames < 0 {
			break
		}
		frame := a.frame(input.Arch, n+1, &call)
		frame.Index = n
		out.Returned = append(out.Returned, frame)
	}
	if a.opt.Variables != nil {
		a.variables(ctx, input, a.walked[i], out.Frames)
	}
}

// A naming makes the frames of a report.
type naming struct {
	frame  func(n int, f *unwind.Frame) report.Frame
	room   []report.Frame // where they are put, if it is large enough; nil for a new place
	walked []unwind.Frame // the same for the walked ones
}

// ofThread is the naming of a thread's stack.
func (a *analysis) ofThread(arch *cpu.Arch) naming {
	return naming{frame: func(n int, f *unwind.Frame) report.Frame { return a.frame(arch, n, f) }}
}

// follow walks a stack, and the one that a fault interrupted, and names its frames.
func (a *analysis) follow(input unwind.Input, fault *process.Registers, by naming) (walked []unwind.Frame, named []report.Frame, end report.End) {
	before := a.lookup.unanswered()
	input.Room = by.walked
	stack := unwind.Walk(input)
	input.Room = nil
	if fault != nil {
		a.resume(&stack, fault)
	}
	a.budget.spend(&stack) // also for frames that are dropped below: their walk had its cost
	end = a.end(&stack.End)
	left := a.answered(input, &stack, before)
	if a.settle(&stack) || left {
		end = report.End{Kind: report.SymbolsAwaited}
	}
	if named = by.room[:0]; named == nil {
		named = make([]report.Frame, 0, len(stack.Frames))
	}
	for n := range stack.Frames {
		before := a.lookup.unanswered()
		frame := by.frame(n, &stack.Frames[n])
		// naming a frame may leave a query open that the walk did not make
		if n > 0 && a.lookup.unanswered() > before {
			return stack.Frames[:n], named, report.End{Kind: report.SymbolsAwaited}
		}
		named = append(named, frame)
	}
	return stack.Frames, named, end
}

// settle removes the frames that may change when all symbols are read. They were walked
// nevertheless, to find which symbols are needed. The innermost frame is certain, because it comes
// from the registers. Any other is certain only if neither its callee's rules nor the facts about
// its own function can change.
func (a *analysis) settle(stack *unwind.Stack) (left bool) {
	for n := range stack.Frames {
		if !a.reads(stack.Frames[n].Module) {
			continue
		}
		stack.Frames = stack.Frames[:max(n, 1)]
		return true
	}
	return false
}

// reads reports whether a module's symbols are available but not read yet.
func (a *analysis) reads(m *module.Module) bool {
	return m != nil && a.lookup.of(m).state.State == report.SymbolsReading
}

// input returns what a walk needs. Evidence is recorded only as long as the report has room for it.
func (a *analysis) input(ctx *process.Registers) unwind.Input {
	var stale []uint64
	var deferred []process.DPCStack
	kernel := a.p.Event.IsBugCheck()
	if kernel {
		stale, deferred = a.p.Event.Parameters, a.p.Event.Deferred
	}
	return unwind.Input{
		Stale: stale, Kernel: kernel, Deferred: deferred,
		Arch: ctx.Arch, OS: a.os, Regs: ctx.Regs, Memory: memory{a.p.Memory, a, nil}, Shadow: a.shadow(ctx),
		Modules: a.modules, Unloaded: a.unloadedModule, Rules: a.lookup.rules, Generated: a.lookup.generatedAt(ctx.Arch, a.opt.Walked),
		Executable: a.executable, Decode: disasm.Decode, Float: ctx.Float,
		Frames: a.budget.limit(a.opt.Frames), Explain: a.opt.Explain && a.budget.evidence > 0, Read: a.walkRead(),
	}
}

// shadow returns the shadow stack of registers, which ends where its mapping does. A pointer that is misaligned, or
// in the stack itself, is damaged.
func (a *analysis) shadow(ctx *process.Registers) unwind.Shadow {
	top := ctx.Shadow
	if top == 0 || top%uint64(ctx.Arch.Word) != 0 {
		return unwind.Shadow{}
	}
	sp, known := ctx.Regs.Get(ctx.Arch.SP)
	for _, at := range []uint64{top, top - 1} { // an empty one points to its end
		if g := a.p.RegionAt(at); g != nil && g.Accessible() {
			if known && g.Contains(sp) {
				return unwind.Shadow{}
			}
			return unwind.Shadow{Pointer: top, End: g.Last + 1}
		}
	}
	return unwind.Shadow{Pointer: top}
}

// walkRead returns what is told of the reads of a walk, or nil.
func (a *analysis) walkRead() func(unwind.Read) {
	if a.opt.Walked == nil {
		return nil
	}
	return func(r unwind.Read) { a.opt.Walked(r.Address, r.Size, readUses[r.Use]) }
}

// stack returns the captured memory around a thread's stack pointer or, failing that, the stack of
// the thread list.
func (a *analysis) stack(i int) *report.Stack {
	if base, size, ok := a.stackRange(i); ok {
		return &report.Stack{Base: a.addr(base), Size: report.Hex(size)}
	}
	return nil
}

// stackRange returns the captured memory at a thread's stack pointer or, failing that, the stack of
// the thread list.
func (a *analysis) stackRange(i int) (base, size uint64, ok bool) {
	if ctx := a.p.Threads[i].Registers; ctx != nil {
		if sp, known := ctx.Regs.Get(ctx.Arch.SP); known {
			if base, size, ok := a.p.Memory.Range(sp); ok {
				base, size = a.inMapping(sp, base, size)
				return base, size, true
			}
		}
	}
	return a.p.Memory.Range(a.p.Threads[i].Stack)
}

// inMapping reduces a range around an address to the mapping there, if mappings are known. A core
// may have captured memory next to a stack: gdb writes guard pages as zeros.
func (a *analysis) inMapping(addr, base, size uint64) (uint64, uint64) {
	g := a.p.RegionAt(addr)
	if g == nil {
		return base, size
	}
	low, last := max(base, g.Start), min(base+(size-1), g.Last)
	return low, last - low + 1
}

// lastError returns GetLastError's value from the thread's environment block. Source: winternl.h,
// TEB.LastErrorValue.
func (a *analysis) lastError(teb uint64) *string {
	if !a.os.IsWindows() || a.p.Arch == nil || teb == 0 {
		return nil
	}
	offset := uint64(0x34)
	if a.p.Arch.Word == 8 {
		offset = 0x68
	}
	v, ok := a.read.Word(teb+offset, 4)
	if !ok {
		return nil
	}
	return ptr(lastErrorText(uint32(v)))
}

// crashingCopy returns the copy of the crashing thread that the schema requires.
func crashingCopy(r *report.Report) *report.Crashing {
	i := r.CrashInfo.CrashingThread
	if i == nil || *i >= len(r.Threads) || len(r.Threads[*i].Frames) == 0 {
		return nil
	}
	return &report.Crashing{Index: *i, Thread: r.Threads[*i]}
}
