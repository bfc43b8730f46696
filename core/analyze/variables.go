package analyze

import (
	"crashglass/core/base/bug"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/unwind"
	"crashglass/core/values/variables"
)

// The bounds of variables: maxVariableFrames bounds the frames of a stack whose variables are read, maxValues the
// values of all stacks, and maxValueText their text, in approximate bytes.
const (
	maxVariableFrames = 256
	maxValues         = 1 << 17
	maxValueText      = 16 << 20
	valueText         = 200 // bytes of a value in a report, without its texts
)

// variables reads the variables of a stack into its frames.
func (a *analysis) variables(ctx *process.Registers, in unwind.Input, frames []unwind.Frame, out []report.Frame) {
	all := a.valueFrames(ctx, in, frames[:min(len(frames), len(out), maxVariableFrames)])
	for i := range all {
		if all[i].Symbols.Scopes == nil {
			continue
		}
		if a.budget.noValues() {
			a.notes.odd("variables", "there are more of them than a report has room for: the last frames lack theirs")
			return
		}
		n, _ := a.frameVariables(&all[i], &out[i], variables.Limits{Values: min(a.budget.values, 1<<14)})
		a.budget.values -= n
	}
}

// valueFrames converts frames for package variables. Each frame has links to its neighbours,
// because call sites describe the arguments that they passed.
func (a *analysis) valueFrames(ctx *process.Registers, in unwind.Input, frames []unwind.Frame) []variables.Context {
	all := make([]variables.Context, len(frames))
	for i := range all {
		all[i] = a.valueFrame(ctx.Arch, in, &frames[i])
		all[i].VFrame = func() (uint64, bool) { return in.VirtualFrame(frames, i) }
		if i > 0 {
			all[i-1].Caller, all[i].Callee = &all[i], &all[i-1]
			all[i].Vector = func(name string) ([]byte, bool) { return a.vector(ctx, in, frames, i, name) }
		}
	}
	if len(frames) > 0 && frames[0].Interrupted {
		all[0].Vector = ctx.Float
	}
	return all
}

// vector returns a floating point register of a caller, if it was preserved.
func (a *analysis) vector(ctx *process.Registers, in unwind.Input, frames []unwind.Frame, i int, name string) ([]byte, bool) {
	s, ok := in.Vector(frames, i, name)
	if !ok {
		return nil, false
	}
	b, ok := ctx.Float(name)
	if s.InMemory {
		b = make([]byte, s.Size)
		ok = values{a.read}.Read(s.Addr, b) == s.Size
	}
	if !ok || len(b) < s.Size || a.p.BigEndian {
		return nil, false
	}
	return b[:s.Size], true
}

// valueFrame converts one frame for package variables. Mismatched symbols give no variables.
func (a *analysis) valueFrame(arch *cpu.Arch, in unwind.Input, f *unwind.Frame) variables.Context {
	out := a.moduleFrame(arch, &f.Frame)
	if f.Module == nil {
		return out
	}
	if known := a.lookup.of(f.Module); known.matches() {
		out.Symbols = known.source.Variables()
	}
	out.CFA = func() (uint64, bool) { v, _, ok := in.CFA(f); return v, ok }
	out.CFABase = func() string { _, base, _ := in.CFA(f); return base }
	return out
}

// ofModule returns what variables outside of functions need, with the symbols of their module.
func (a *analysis) ofModule(arch *cpu.Arch, m *module.Module, known *found) variables.Context {
	out := a.moduleFrame(arch, &process.Frame{Module: m})
	out.Symbols = known.source.Variables()
	return out
}

// moduleFrame is ofModule without symbols. The frame may have a module only.
func (a *analysis) moduleFrame(arch *cpu.Arch, f *process.Frame) variables.Context {
	return variables.Context{
		Frame: f, Arch: arch, BigEndian: a.p.BigEndian, Windows: a.os.IsWindows(), Memory: values{a.read}, Describe: a.describe, Views: a.opt.Views,
		Mapped: a.Mapped, Lists: a.opt.Lists,
	}
}

// A values is the dump's memory, for reading values.
type values struct{ memory }

// Read implements process.ByteReader.
func (v values) Read(addr uint64, p []byte) int {
	if v.a.opt.Read != nil {
		v.a.opt.Read(addr, len(p))
	}
	return copy(p, v.bytes(addr, len(p)))
}

func (a *analysis) describe(addr uint64) string {
	m := a.modules.At(addr)
	if m == nil {
		return ""
	}
	if known := a.lookup.of(m); known.matches() {
		if loc, ok := known.locate(addr - m.Base); ok && loc.Function != "" {
			return m.Name() + "!" + a.budget.name(loc.Function)
		}
	}
	return m.Name()
}

// frameVariables reads the variables of one frame. It returns the number of values, and whether the
// symbols describe variables at all. Scopes are matched with the frame's inlined calls.
func (a *analysis) frameVariables(f *variables.Context, out *report.Frame, limits variables.Limits) (n int, known bool) {
	var err error
	defer func() {
		if err != nil {
			a.notes.odd("variables", err.Error())
		}
	}()
	defer bug.Catch(&err)
	scopes := a.opt.Variables(f, limits)
	for i := range scopes {
		var list []report.Variable
		for _, v := range scopes[i].Values {
			one := a.variable(v, &n)
			if at := v.Extent(); a.extents && at.Addr != 0 {
				one.Address, one.Size = ptr(a.addr(at.Addr)), at.Size
			}
			list = append(list, one)
		}
		switch inlined := len(scopes) - 1; {
		case i == inlined:
			out.Variables = list
		case inlined == len(out.Inlines):
			out.Inlines[i].Variables = list
		}
	}
	return n, len(scopes) > 0
}

func (a *analysis) variable(v *variables.Value, n *int) report.Variable {
	*n++
	a.budget.valueText -= valueText + len(v.Name) + len(v.Type) + len(v.Why) + len(v.Location) + len(v.Text)
	out := report.Variable{
		Name: v.Name, Type: v.Type, State: report.VariableState(v.State.String()), Why: some(v.Why),
		Content: report.VariableContent(v.Content.String()), More: v.More, Raw: v.Raw, Location: some(v.Location), Hidden: v.Hidden,
	}
	if v.Block.Depth > 0 {
		out.Block = &report.Block{Depth: v.Block.Depth, Line: v.Block.Line}
	}
	if v.Said {
		out.Value = ptr(v.Text)
	}
	object := v.Object()
	if object.Size > 0 {
		out.Object = &report.Object{Address: a.addr(object.Addr), Size: object.Size}
	}
	for _, c := range v.Children {
		child := a.variable(c, n)
		if at := c.Extent(); at.Size > 0 && at.Addr-object.Addr < object.Size {
			child.Address, child.Size = ptr(a.addr(at.Addr)), at.Size
		}
		out.Children = append(out.Children, child)
	}
	if v.Evidence == nil {
		return out
	}
	if out.Kind = report.Local; v.Argument {
		out.Kind = report.Argument
	}
	e := &report.VariableEvidence{Rule: v.Evidence.Rule, From: v.Evidence.From, More: v.Evidence.More}
	for _, r := range v.Evidence.Registers {
		e.Registers = append(e.Registers, report.Register{Name: r.Name, Value: a.addr(r.Value)})
	}
	for _, w := range v.Evidence.Reads {
		e.Reads = append(e.Reads, report.Read{Address: a.addr(w.Addr), Value: a.addr(w.Value), Size: w.Size})
	}
	out.Evidence = e
	return out
}
