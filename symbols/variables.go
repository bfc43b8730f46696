package symbols

import "crashglass/core/variables"

var (
	_ variables.Source    = (*union)(nil)
	_ variables.CallSites = (*union)(nil)
)

// errNotKnown is what a file without variables says of one.
var errNotKnown = variables.Gone("no symbol file of the module knows of calls")

// Scopes asks the files in turn: those that know most of functions know most of
// variables.
func (u *union) Scopes(rel uint64) []variables.Scope {
	for _, r := range u.names {
		if s := guardOf(r).scopes(rel); len(s) > 0 {
			return s
		}
	}
	return nil
}

// Passed implements variables.CallSites by the first file that says anything.
func (u *union) Passed(e *variables.Eval, callee *variables.Frame, reg string) (v uint64, err error) {
	return firstOf(u, func(c variables.CallSites) (uint64, error) { return c.Passed(e, callee, reg) })
}

// Entered implements variables.CallSites in the same way.
func (u *union) Entered(rel uint64) (start uint64, name string, err error) {
	type answer struct {
		start uint64
		name  string
	}
	a, err := firstOf(u, func(c variables.CallSites) (a answer, err error) {
		a.start, a.name, err = c.Entered(rel)
		return a, err
	})
	return a.start, a.name, err
}

// firstOf is the first answer of a file that knows of calls, or the error of the last.
func firstOf[T any](u *union, ask func(variables.CallSites) (T, error)) (out T, err error) {
	err = errNotKnown
	for _, r := range u.names {
		c, ok := fileOf(r).(variables.CallSites)
		if !ok {
			continue
		}
		got, known := answered(guardOf(r), func() (T, bool) {
			out, err = ask(c)
			return out, err == nil
		})
		if known {
			return got, nil
		}
	}
	return out, err
}

// fileOf is the file itself, behind what the Store needs of it.
func fileOf(r reader) any {
	if n, ok := inside(r).(native); ok {
		return n.nativeFile
	}
	return inside(r)
}

// guardOf is the guard before a reader; there is one before every one.
func guardOf(r reader) guarded {
	if g, ok := r.(guarded); ok {
		return g
	}
	return guarded{r, &file{}}
}

func (g guarded) scopes(rel uint64) []variables.Scope {
	s, _ := answered(g, func() ([]variables.Scope, bool) {
		if source, ok := fileOf(g).(variables.Source); ok {
			return source.Scopes(rel), true
		}
		return nil, false
	})
	return s
}
