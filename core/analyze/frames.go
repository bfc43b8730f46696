package analyze

import (
	"math/bits"
	"strings"

	"crashglass/core/cpu"
	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/core/symbolize"
	"crashglass/core/unwind"
)

// frame makes one frame of a report. arch is that of the thread's registers,
// which in a 32-bit process on a 64-bit system may differ from the system's.
func (a *analysis) frame(arch *cpu.Arch, index int, f *unwind.Frame) report.Frame {
	out := report.Frame{
		Index:     index,
		Trust:     report.Trust(f.Trust.String()),
		FoundBy:   report.Way(f.FoundBy.String()),
		Guess:     f.Guess,
		Registers: a.registers(arch, &f.Regs),
		Offset:    a.addr(f.Instruction),
		Evidence:  a.steps(f.Evidence),
	}
	if index > 0 {
		out.ReturnAddress = ptr(a.addr(f.ReturnAddress))
	}
	if i := a.modules.IndexAt(f.Instruction); i >= 0 {
		mod := &a.modules.Modules()[i]
		out.Module, out.ModuleIndex = ptr(mod.Name()), ptr(i)
		out.ModuleOffset = ptr(a.addr(f.Instruction - mod.Base))
		out.System = isSystemPath(a.os, mod.CodeFile)
		a.name(&out, mod, f.Instruction)
	} else {
		out.Unloaded = a.unloadedAt(f.Instruction)
		if f.Module != nil { // an unloaded module: its names are still right
			a.name(&out, f.Module, f.Instruction)
		}
	}
	out.MissingSymbols = out.Function == nil && !a.reads(f.Module)
	return out
}

// name adds the function, file, line and inlined calls of an address.
func (a *analysis) name(out *report.Frame, mod *module.Module, addr uint64) {
	known := a.lookup.of(mod)
	if known.source == nil {
		return
	}
	rel := addr - mod.Base
	loc, ok := known.locate(rel)
	if !ok {
		return
	}
	if loc.Function != "" {
		out.Function = ptr(a.budget.name(loc.Function))
		out.FunctionOffset = ptr(a.addr(rel - loc.Start))
		out.Spelling = report.Spelling{Linkage: some(a.budget.name(loc.Linkage)), Readable: some(a.budget.name(loc.Readable))}
	}
	out.Public, out.Far, out.Folded, out.Clone = loc.Public, loc.Far(rel), a.folds(&loc), a.budget.name(loc.Clone)
	out.UsedAnyway = known.state.State == report.SymbolsWrongBuild
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

// folds reports whether the linker may have folded identical functions (ICF). Microsoft's linker
// does so by default (/OPT:ICF). Elsewhere several names of one address are aliases of one
// function, and so are the two names of each system call of ntdll.
func (a *analysis) folds(loc *symbolize.Location) bool {
	return loc.Multiple && a.os == "windows" && !isSystemCall(loc.Function)
}

// isSystemCall reports whether a name has the prefix of ntdll's system calls.
func isSystemCall(name string) bool {
	return (strings.HasPrefix(name, "Nt") || strings.HasPrefix(name, "Zw")) && !strings.ContainsAny(name, ":(<")
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

// steps converts evidence to the report's fields.
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

// end converts the end of a walk to the report's fields.
func (a *analysis) end(e *unwind.End) report.End {
	out := report.End{Complete: e.Kind.Complete(), Kind: report.EndKind(e.Kind.String()), Function: some(e.Function), Evidence: a.steps(e.Evidence)}
	switch e.Kind {
	case unwind.FrameLimit:
		out.Limit = int(e.Address)
	case unwind.NoProgress:
		out.Address, out.To = ptr(a.addr(e.Address)), ptr(a.addr(e.To))
	case unwind.NoReturn, unwind.MemoryEnds, unwind.NotCaptured, unwind.NoCode:
		out.Address = ptr(a.addr(e.Address))
	}
	return out
}
