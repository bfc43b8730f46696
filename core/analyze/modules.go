package analyze

import (
	"cmp"
	"fmt"
	"strings"

	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// noID is how the schema spells the debug id of a module without one.
var noID = strings.Repeat("0", 33)

// reportModules lists the modules in the order of the dump. Those on a stack have the state of
// their symbols; symbols of the others are not looked up.
func (a *analysis) reportModules() []report.Module {
	cuts := a.cuts()
	out := []report.Module{}
	mods := a.modules.Modules()
	for i := range mods {
		m := &mods[i]
		r := report.Module{
			Base: a.addr(m.Base), End: a.addr(m.Base + m.Size),
			CodeFile: m.Name(), CodeID: m.CodeID,
			DebugFile: module.Basename(m.DebugFile), DebugID: m.DebugID,
			Version: some(m.Version), Path: m.CodeFile,
			System:  a.isSystem(m),
			Overlap: some(cuts[i]),
		}
		if m.Floating {
			r.Base, r.End = "", ""
		}
		r.DebugID = cmp.Or(r.DebugID, noID)
		if f, known := a.lookup.known[m]; known {
			state := a.lookup.now(m)
			r.Symbols = &state
			r.LoadedSymbols = f.source != nil
			r.MissingSymbols = f.source == nil && state.State != report.SymbolsReading
			r.CorruptSymbols = state.State == report.SymbolsDamaged
		}
		out = append(out, r)
	}
	return out
}

// cuts describes the first loss of each module to an overlapping one. The notes have all losses.
func (a *analysis) cuts() map[int]string {
	out := map[int]string{}
	mods := a.modules.Modules()
	for _, c := range a.modules.Cuts() {
		cut, by := &mods[c.Index], &mods[c.By]
		words := fmt.Sprintf("cut at %#x, where %s begins", c.At, process.Brief(by.Name()))
		switch {
		case cut.Base == by.Base:
			words = fmt.Sprintf("listed at the same address as %s, which keeps it", process.Brief(by.Name()))
		case c.Last-cut.Base < cut.Span()-1:
			words = fmt.Sprintf("without %#x to %#x, where %s lies", c.At, c.Last, process.Brief(by.Name()))
		}
		if _, said := out[c.Index]; !said {
			out[c.Index] = words
		}
		a.notes.odd("module list", fmt.Sprintf("%s: %s", process.Brief(cut.Name()), words))
	}
	return out
}

// unloadedModules lists the unloaded modules. Their names are copied unchanged; often they have no
// folder.
func (s *Session) unloadedModules() []report.Unloaded {
	out := []report.Unloaded{}
	for i := range s.p.Unloaded {
		m := &s.p.Unloaded[i]
		out = append(out, report.Unloaded{Base: s.addr(m.Base), End: s.addr(m.Base + m.Size), CodeFile: m.CodeFile, CodeID: m.CodeID})
	}
	return out
}
