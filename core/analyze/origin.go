package analyze

import (
	"strings"

	"crashglass/core/cause/crash"
	"crashglass/core/cause/origin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/types"
	"crashglass/core/values/variables"
)

// maxOriginFrames bounds the callers in which a value is followed.
const maxOriginFrames = 4

// maxStaticsFile bounds the symbol files that are searched for variables outside of functions: the search
// reads the whole debug information.
const maxStaticsFile = 64 << 20

// trail finds where the bad pointer of a crash came from: the register in the address that was accessed,
// or the address that was called. from is the frame of the access.
func (a *analysis) trail(found *crash.Analysis, from int) report.Trail {
	i := a.p.Subject
	if i < 0 || a.p.Threads[i].Registers == nil || from >= len(a.walked[i]) || a.p.BigEndian {
		return nil
	}
	ctx := a.p.Threads[i].Registers
	if from > 0 {
		ctx = &process.Registers{Arch: ctx.Arch, Regs: a.walked[i][from].Regs}
	}
	reg, ok := ctx.Arch.Reg(found.PointerRegister)
	called := found.Called && found.PointerRegister == ""
	if !ok && !called || reg == ctx.Arch.SP && !called {
		return nil // a stack pointer comes from the calls themselves
	}
	in := a.originInput(ctx, a.walked[i][from:])
	var links []origin.Link
	if called {
		links = origin.TraceCall(in, ctx.Regs.Value(ctx.Arch.PC))
	} else {
		links = origin.Trace(in, reg)
	}
	var out report.Trail
	for k := range links {
		links[k].Frame += from
		out = append(out, a.link(ctx.Arch, &links[k]))
	}
	if len(out) == 1 && out[0].Kind == report.OriginUnknown && out[0].Variable == "" {
		return nil
	}
	return out
}

// argument returns what the function of a frame of the crashed thread was called with in a register, if that is a constant.
func (a *analysis) argument(frame int, reg cpu.Reg) (uint64, bool) {
	i := max(a.p.Subject, 0)
	ctx := a.p.Threads[i].Registers
	if ctx == nil || frame >= len(a.walked[i]) || a.p.BigEndian {
		return 0, false
	}
	ctx = &process.Registers{Arch: ctx.Arch, Regs: a.walked[i][frame].Regs}
	return origin.Argument(a.originInput(ctx, a.walked[i][frame:]), reg)
}

// originInput describes the proved frames of a stack that begins with the registers of ctx.
func (a *analysis) originInput(ctx *process.Registers, walked []unwind.Frame) *origin.Input {
	arch := ctx.Arch
	in := &origin.Input{
		Arch: arch, Decode: a.decode,
		Code: func(addr uint64, p []byte) int { return copy(p, a.read.bytes(addr, len(p))) },
		Word: func(addr uint64) (uint64, bool) { return a.read.Word(addr, arch.Word) },
	}
	all := a.valueFrames(ctx, a.input(ctx), walked[:min(len(walked), maxOriginFrames)])
	for n := range all {
		f := &walked[n]
		if f.Guess || n > 0 && !in.Frames[n-1].Calls {
			break
		}
		in.Frames = append(in.Frames, a.originFrame(arch, f, &all[n]))
	}
	return in
}

func (a *analysis) originFrame(arch *cpu.Arch, f *unwind.Frame, values *variables.Context) origin.Frame {
	out := origin.Frame{PC: f.ReturnAddress, Regs: f.Regs, Calls: true}
	if f.Interrupted {
		out.PC = f.Instruction
	}
	out.Regs = out.Regs.Keep(^f.Searched)
	if l := values.Symbols.Languages; l != nil && l.Language(f.Rel()) == types.Go {
		out.Calls = false
	}
	if values.Symbols.Scopes != nil {
		out.At = func(pc uint64, regs *cpu.Regs) *variables.Context {
			there, frame := *values, *values.Frame
			frame.Instruction, frame.Regs, frame.Interrupted = pc, *regs, true
			there.Frame, there.Caller, there.Callee = &frame, nil, nil
			return &there
		}
	}
	if f.Module != nil {
		a.extentOf(f.Module, f.Rel(), &out)
		out.Static = func(addr uint64) (variables.Part, string) { return a.static(arch, f.Module, addr, arch.Word) }
	}
	return out
}

// static names the variable outside of functions that is in size bytes of a module.
func (a *analysis) static(arch *cpu.Arch, m *module.Module, addr uint64, size int) (variables.Part, string) {
	known := a.lookup.of(m)
	if !known.matches() || known.state.Bytes > maxStaticsFile {
		return variables.Part{}, ""
	}
	f := a.ofModule(arch, m, known)
	if len(known.statics) == 0 {
		known.statics = variables.Listed(&f)
	}
	if part, rule := variables.Static(&f, known.statics, addr, size); rule != "" {
		return part, rule
	}
	if name := a.inSymbol(m, addr); name != "" {
		return variables.Symbol(name), "symbol"
	}
	return variables.Part{}, ""
}

// extentOf finds the function at an address of a module, by its symbol or by its unwind rules. A part of a
// function that lies elsewhere is not entered by calls.
func (a *analysis) extentOf(m *module.Module, rel uint64, out *origin.Frame) {
	rules := a.lookup.rules(m)
	if rules == nil {
		return
	}
	frame, ok := rules.CallFrame(rel)
	out.Handlers = !ok || frame.Handlers || !strings.HasPrefix(frame.From, ".eh_frame") && out.Calls
	if ok && rel-frame.Start < frame.Size {
		out.Start, out.End = m.Base+frame.Start, m.Base+frame.Start+frame.Size
	}
	loc, named := a.lookup.of(m).locate(rel)
	if named && a.certainty(m, &loc, rel) == symbolize.Inside && loc.Size > 0 && rel-loc.Start < loc.Size {
		out.Entry = !strings.Contains(loc.Clone, "cold") && (!ok || frame.Start == loc.Start)
		if !ok {
			out.Start, out.End = m.Base+loc.Start, m.Base+loc.Start+loc.Size
		}
	}
}

func (a *analysis) link(arch *cpu.Arch, l *origin.Link) report.OriginLink {
	out := report.OriginLink{
		Kind: l.Kind, Frame: l.Frame, Register: arch.RegName(l.Register), Variable: a.budget.name(l.Variable), Source: a.budget.name(l.Source),
		Rule: a.budget.name(l.Rule), Instruction: l.At.Text, Guess: l.Doubt,
	}
	if l.Known {
		out.Value = ptr(a.addr(l.Value))
	}
	if l.Placed {
		out.Memory = ptr(a.addr(l.Memory))
	}
	if l.At.Len > 0 {
		out.At = ptr(a.addr(l.At.Addr))
	}
	if l.Target != 0 {
		out.Function = a.functionFrom(l.Target)
	}
	return out
}

// functionFrom names the function that begins at an address, if it is certain.
func (a *analysis) functionFrom(addr uint64) string {
	m := a.modules.At(addr)
	if m == nil {
		return ""
	}
	var f report.Frame
	a.name(&f, m, addr)
	if f.Function == nil || !f.Certainty.Certain() || *f.FunctionOffset != a.addr(0) {
		return ""
	}
	return *f.Function
}
