package analyze

import (
	"fmt"
	"strings"

	"crashglass/core/base/bug"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/values/variables"
)

// An EvaluateQuery is a query for the values of expressions.
type EvaluateQuery struct {
	Thread int // its index
	Frame  int // a physical frame
	Scope  int // 0 is the function itself, then the calls inlined into it, outermost first

	Expressions []string
	Elements    int // of an array; 0 for the first ones
}

// Evaluate walks one thread and evaluates expressions in one of its frames: [variables.Evaluate].
func (s *Session) Evaluate(syms Symbols, q EvaluateQuery, opt Options) (out []report.Variable, err error) {
	a, _, all, err := s.framesOf(syms, q.Thread, max(q.Frame, 0), opt)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("analyze: thread %d has no registers, which variables need", q.Thread)
	}
	defer bug.Catch(&err)
	return a.evaluate(&all[q.Frame], q.Scope, q.Expressions, q.Elements), nil
}

func (a *analysis) evaluate(f *variables.Context, scope int, expressions []string, elements int) (out []report.Variable) {
	f.Other = func(name string) *variables.Context { return a.otherModule(f, name) }
	n := 0
	for _, text := range expressions {
		v := a.variable(variables.Evaluate(f, scope, text, variables.Limits{Elements: Elements(elements)}), &n)
		v.Kind = report.Expression
		out = append(out, v)
	}
	return out
}

// enumerator names the value of an enumeration at an address, by the type's name in a module; "" for other types and without debug information.
func (a *analysis) enumerator(index int, typ string, addr uint64) string {
	modules := a.modules.Modules()
	known := a.lookup.of(&modules[index])
	if !known.matches() || a.p.Arch == nil {
		return ""
	}
	f := a.ofModule(a.p.Arch, &modules[index], known)
	v := variables.Evaluate(&f, 0, fmt.Sprintf("*(%s *)%#x", typ, addr), variables.Limits{})
	if !v.Enumeration() {
		return ""
	}
	return v.Text
}

// otherModule returns a frame of no function in a module with symbols, by its name, which may lack its extension.
func (a *analysis) otherModule(f *variables.Context, name string) *variables.Context {
	modules := a.modules.Modules()
	for i := range modules {
		m := &modules[i]
		own := module.Basename(m.Name())
		short, _, _ := strings.Cut(own, ".")
		if !strings.EqualFold(own, name) && !strings.EqualFold(short, name) {
			continue
		}
		if known := a.lookup.of(m); known.matches() {
			out := a.ofModule(f.Arch, m, known)
			return &out
		}
	}
	return nil
}
