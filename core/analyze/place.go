package analyze

import (
	"slices"

	"crashglass/core/process"
	"crashglass/core/process/module"
)

// place returns the modules of a report that states offsets in files, with the bases that follow from
// the files' layouts. Others, and modules without a file, stay where they are.
func (a *analysis) place() *module.Map {
	stated := func(m module.Module) bool { return m.Offsets == module.InFile || m.Offsets == module.InCode }
	if !slices.ContainsFunc(a.p.Modules, stated) {
		return a.Session.modules
	}
	moved := slices.Clone(a.p.Modules)
	for i := range moved {
		m := &moved[i]
		addr, ok := a.firstIn(m)
		if !ok || !stated(*m) {
			continue
		}
		if rel, ok := a.layout(m, addr-m.Base); ok && rel <= addr {
			m.Base, m.Offsets = addr-rel, module.FromBase
			m.Size = max(m.Size, rel+1)
		}
	}
	return module.NewMap(moved)
}

// firstIn returns the address of a frame in a module.
func (a *analysis) firstIn(m *module.Module) (uint64, bool) {
	for i := range a.p.Threads {
		in := func(f process.Frame) bool { return m.Contains(f.Instruction) }
		if n := slices.IndexFunc(a.p.Threads[i].Frames, in); n >= 0 {
			return a.p.Threads[i].Frames[n].Instruction, true
		}
	}
	return 0, false
}

// layout turns what a report counts in a module into an offset from the module's base.
func (a *analysis) layout(m *module.Module, at uint64) (uint64, bool) {
	if m.Offsets == module.FromBase {
		return at, true
	}
	source := a.lookup.of(m).source
	if source == nil {
		return 0, false
	}
	return source.Rel(m.Offsets, at)
}
