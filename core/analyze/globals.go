package analyze

import (
	"crashglass/core/bug"
	"crashglass/core/report"
	"crashglass/core/variables"
)

// globals reads the variables outside of functions that Options ask for, in
// every module whose symbols fit. Modules that no stack needed are looked up
// here, but are not listed as wanted.
func (a *analysis) globals() (out []report.Globals) {
	if a.opt.Globals == nil || a.arch == nil {
		return nil
	}
	others := newLookup(a.lookup.syms)
	modules := a.modules.Modules()
	for i := range modules {
		m := &modules[i]
		known, ok := a.lookup.known[m]
		if !ok {
			known = others.of(m)
		}
		if known.source == nil || known.state.State == report.SymbolsWrongBuild {
			continue
		}
		f := a.moduleFrame(a.arch)
		f.Base, f.Source = m.Base, known.source
		if list := a.globalsOf(&f); len(list) > 0 {
			out = append(out, report.Globals{Module: m.Name(), Variables: list})
		}
	}
	return out
}

// globalsOf reads those of one module.
func (a *analysis) globalsOf(f *variables.Frame) (list []report.Variable) {
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
	return list
}
