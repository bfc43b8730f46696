package analyze

import (
	"fmt"

	"crashglass/core/base/bug"
	"crashglass/core/report"
	"crashglass/core/values/variables"
)

// globals reads the requested variables outside of functions, in every module with matching
// symbols. It also looks up modules that are on no stack, but does not list them as wanted.
func (a *analysis) globals() (out []report.Globals) {
	if a.opt.Globals == nil || a.p.Arch == nil {
		return nil
	}
	others := newLookup(a.lookup.syms)
	modules := a.modules.Modules()
	builds := map[string]int{}
	for i := range modules {
		m := &modules[i]
		known, ok := a.lookup.known[m]
		if !ok {
			known = others.of(m)
		}
		if !known.matches() {
			continue
		}
		if builds[m.DebugID]++; builds[m.DebugID] > maxLoaded || a.budget.noValues() {
			a.notes.odd("globals", "there are more of them than a report has room for: the last modules lack theirs")
			break
		}
		f := a.ofModule(a.p.Arch, m, known)
		if list := a.globalsOf(&f); len(list) > 0 {
			out = append(out, report.Globals{Module: m.Name(), Variables: list})
		}
	}
	return out
}

// maxLoaded bounds how many copies of one build are read. A real process has one, or a few.
const maxLoaded = 64

// ModuleGlobals are the requested variables of a module that are outside of functions.
type ModuleGlobals struct {
	Known     bool              `json:"known"` // the symbols describe variables
	Variables []report.Variable `json:"variables"`
	Notes     []report.Note     `json:"notes"` // what was wrong with the symbols
}

// Globals reads the variables of one module that are outside of functions and that opt.Globals
// selects. opt.Globals must be set.
func (s *Session) Globals(syms Symbols, module int, opt Options) (ModuleGlobals, error) {
	out := ModuleGlobals{Variables: []report.Variable{}, Notes: []report.Note{}}
	modules := s.modules.Modules()
	if module < 0 || module >= len(modules) {
		return out, fmt.Errorf("analyze: no module %d: the dump has %d", module, len(modules))
	}
	a := s.analysis(syms, opt)
	known := a.lookup.of(&modules[module])
	if a.p.Arch == nil || !known.matches() {
		return out, nil
	}
	f := a.ofModule(a.p.Arch, &modules[module], known)
	out.Known = f.Symbols.Statics != nil
	out.Variables = append(out.Variables, a.globalsOf(&f)...)
	out.Notes = append(out.Notes, a.notes.list...)
	return out, nil
}

// globalsOf reads the variables of one module.
func (a *analysis) globalsOf(f *variables.Context) (list []report.Variable) {
	var err error
	defer func() {
		if err != nil {
			a.notes.odd("globals", err.Error())
		}
	}()
	defer bug.Catch(&err)
	n := 0
	for _, v := range a.opt.Globals(f) {
		list = append(list, a.variable(v, &n))
		list[len(list)-1].Kind = report.Global
	}
	a.budget.values -= n
	return list
}
