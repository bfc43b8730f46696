package analyze

import (
	"cmp"
	"math/bits"
	"strings"

	"crashglass/core/cause/crash"
	"crashglass/core/cause/signature"
	"crashglass/core/machine/cpu"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
	"crashglass/core/stack/unwind"
)

// frame makes one frame of a report. arch is that of the thread's registers,
// which in a 32-bit process on a 64-bit system may differ from the system's.
func (a *analysis) frame(arch *cpu.Arch, index int, f *unwind.Frame) report.Frame {
	out := report.FrameOf(&f.Frame)
	out.Index, out.Trust, out.FoundBy = index, report.Trust(f.Trust.String()), report.Way(f.FoundBy.String())
	out.Registers, out.Offset, out.Evidence = a.registers(arch, &f.Regs), a.addr(f.Instruction), a.steps(f.Evidence)
	if index > 0 {
		out.ReturnAddress = ptr(a.addr(f.ReturnAddress))
	}
	if o := f.Overwritten; o != nil {
		out.Overwritten = &report.Overwritten{Address: a.addr(o.Address), Value: a.addr(o.Value)}
	}
	if i := a.modules.IndexAt(f.Instruction); i >= 0 {
		mod := &a.modules.Modules()[i]
		out.Module, out.ModuleIndex = ptr(mod.Name()), ptr(i)
		out.ModuleOffset = ptr(a.addr(f.Instruction - mod.Base))
		out.System = a.isSystem(mod)
		a.name(&out, mod, f.Instruction)
		a.start(&out, mod, f.Instruction-mod.Base)
	} else {
		out.Unloaded = a.unloadedAt(f.Instruction)
		if f.Module != nil { // an unloaded module: its names are still right
			a.name(&out, f.Module, f.Instruction)
		} else if !a.nameRegistered(&out, f.Instruction) && a.opt.Generated != nil && a.p.PID != nil {
			if loc, ok := a.opt.Generated(*a.p.PID, f.Instruction); ok {
				a.locate(&out, &loc, f.Instruction, symbolize.Inside)
			}
		}
	}
	markLibrary(&out)
	out.MissingSymbols = out.Function == nil && !a.reads(f.Module)
	return out
}

// markLibrary marks the rows of a frame that are not the program's own code, although its module is.
func markLibrary(out *report.Frame) {
	if out.System || out.ModuleIndex == nil {
		return
	}
	out.Library = !signature.IsOwn(&crash.Row{Frame: out})
	for i := range out.Inlines {
		out.Inlines[i].Library = !signature.IsOwn(&crash.Row{Frame: out, Inline: &out.Inlines[i]})
	}
}

// start adds where the function of a frame starts, if its name is not certain: by unwind rules, which
// compilers make for each function.
func (a *analysis) start(out *report.Frame, mod *module.Module, rel uint64) {
	rules := a.lookup.rules(mod)
	if rules == nil || out.Function != nil && out.Certainty.Certain() {
		return
	}
	if f, ok := rules.CallFrame(rel); ok && rel-f.Start < f.Size {
		out.CodeStart = ptr(a.addr(f.Start))
	}
}

// name adds the function, file, line and inlined calls of an address.
func (a *analysis) name(out *report.Frame, mod *module.Module, addr uint64) {
	known := a.lookup.of(mod)
	if known.source == nil {
		a.lookup.rules(mod)
	}
	if known.names() == nil {
		return
	}
	rel, placed := a.layout(mod, addr-mod.Base)
	if !placed {
		return
	}
	loc, ok := known.locate(rel)
	if !ok {
		return
	}
	out.UsedAnyway = known.state.State == report.SymbolsWrongBuild
	a.locate(out, &loc, rel, a.certainty(mod, &loc, rel))
}

// locate adds a location to a frame, whose name has that certainty at the address rel.
func (a *analysis) locate(out *report.Frame, loc *symbolize.Location, rel uint64, certainty symbolize.Certainty) {
	out.Certainty = certainties[certainty]
	if certainty == symbolize.Beyond {
		out.After = &report.NearSymbol{Name: a.budget.name(cmp.Or(loc.Readable, loc.Function)), Offset: a.addr(rel - loc.Start)}
	}
	if certainty.Named() {
		out.Function = ptr(a.budget.name(loc.Function))
		out.FunctionOffset = ptr(a.addr(rel - loc.Start))
		out.Spelling = report.Spelling{Linkage: some(a.budget.name(loc.Linkage)), Readable: some(a.budget.name(loc.Readable))}
	}
	out.Public, out.Folded, out.Clone = loc.Public, a.folds(loc), a.budget.name(loc.Clone)
	if loc.File != "" {
		out.File = ptr(a.budget.name(loc.File))
	}
	if loc.Line != 0 {
		out.Line = ptr(loc.Line)
	}
	if loc.File != "" || loc.Line != 0 {
		out.LineOffset = ptr(a.addr(rel - loc.LineStart))
	}
	out.Inlines = a.inlines(loc.Inlines)
}

// certainties are the words of the report.
var certainties = map[symbolize.Certainty]report.Certainty{
	symbolize.Inside: report.NameInside, symbolize.Covered: report.NameCovered, symbolize.Nearest: report.NameNearest,
	symbolize.Beyond: report.NameBeyond, symbolize.Forced: report.NameForced, symbolize.Unnamed: report.NameNone,
}

// certainty says how the name of a location in a module stands to the address rel.
func (a *analysis) certainty(mod *module.Module, loc *symbolize.Location, rel uint64) symbolize.Certainty {
	wrong := a.lookup.of(mod).state.State == report.SymbolsWrongBuild
	return loc.Certainty(rel, symbolize.Setting{Rules: a.extent(mod, loc, rel), OS: a.os, Wrong: wrong})
}

// extent returns the range of the unwind rules at an address, or nil. Only the name of a linker
// symbol depends on it.
func (a *analysis) extent(mod *module.Module, loc *symbolize.Location, rel uint64) *symbolize.Extent {
	rules := a.lookup.rules(mod)
	if !loc.Public || rules == nil {
		return nil
	}
	frame, ok := rules.CallFrame(rel)
	if !ok {
		return nil
	}
	return &symbolize.Extent{Start: frame.Start, Size: frame.Size}
}

// folds reports whether the linker may have folded identical functions (ICF). Microsoft's linker
// does so by default (/OPT:ICF). Elsewhere several names of one address are aliases of one
// function, and so are the two names of each system call of ntdll.
func (a *analysis) folds(loc *symbolize.Location) bool {
	return loc.Multiple && a.os.IsWindows() && !loc.SystemCall(a.os)
}

// inlines converts inlined calls, innermost first. Calls for which a report has no room are left
// out, and the notes say so.
func (a *analysis) inlines(calls []symbolize.Inline) []report.Inline {
	var out []report.Inline
	for _, c := range calls {
		if !a.budget.room(inlineText + len(c.Function) + len(c.File) + len(c.Linkage) + len(c.Readable)) {
			break
		}
		in := report.Inline{Spelling: report.Spelling{Linkage: some(c.Linkage), Readable: some(c.Readable)}}
		if c.Function != "" {
			in.Function = ptr(c.Function)
		}
		if c.File != "" {
			in.File = ptr(c.File)
		}
		if c.Line != 0 {
			in.Line = ptr(c.Line)
		}
		out = append(out, in)
	}
	return out
}

// registers lists the known registers in the CPU's order. A register that is narrower than an
// address (eflags, cpsr) is padded to the width of an address, as rust-minidump does, so that
// columns align.
func (a *analysis) registers(arch *cpu.Arch, regs *cpu.Regs) report.Registers {
	out := make(report.Registers, 0, bits.OnesCount64(uint64(regs.Known())))
	for reg, v := range regs.All() {
		if !a.budget.room(registerText) {
			break
		}
		if name := arch.RegName(reg); name != "" {
			out = append(out, report.Register{Name: name, Value: a.addr(v)})
		}
	}
	return out
}

func (a *analysis) steps(steps []unwind.Step) []report.Step {
	var out []report.Step
	for _, s := range steps {
		step := report.Step{Method: report.Method(s.Method.String()), Result: report.StepResult(s.Result.String()), Text: strings.Join(s.Text, "\n")}
		for _, r := range s.Reads {
			step.Reads = append(step.Reads, report.Read{Address: a.addr(r.Address), Value: a.addr(r.Value), Size: r.Size, Use: readUses[r.Use]})
		}
		out = append(out, step)
	}
	return out
}

// readUses are the words of the schema. A read whose value decided has none.
var readUses = map[unwind.ReadUse]report.ReadUse{unwind.Scanned: report.ReadScanned, unwind.Code: report.ReadCode}

func (a *analysis) end(e *unwind.End) report.End {
	out := report.End{Complete: e.Kind.Complete(), Kind: report.EndKind(e.Kind.String()), Function: some(e.Function), Evidence: a.steps(e.Evidence)}
	switch e.Kind {
	case unwind.FrameLimit:
		out.Limit = int(e.Address)
	case unwind.NoProgress:
		out.Address, out.To = ptr(a.addr(e.Address)), ptr(a.addr(e.To))
	case unwind.NoReturn, unwind.MemoryEnds, unwind.NotCaptured, unwind.NoCode, unwind.ShadowEnd:
		out.Address = ptr(a.addr(e.Address))
	}
	return out
}
