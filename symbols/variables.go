package symbols

import (
	"strings"

	"crashglass/core/types"
	"crashglass/core/variables"
	"crashglass/symbols/formats"
)

var (
	_ variables.Source    = (*union)(nil)
	_ variables.CallSites = (*union)(nil)
	_ variables.Classes   = (*union)(nil)
	_ variables.Statics   = (*union)(nil)

	_ variables.RuntimeTypes = (*union)(nil)
)

// errNotKnown is the answer if no file describes calls.
var errNotKnown = variables.Gone("no symbol file of the module knows of calls")

// Scopes asks the files in turn, the most detailed one first.
func (u *union) Scopes(rel uint64) []variables.Scope {
	return firstKnown(u, func(file any) ([]variables.Scope, bool) {
		source := variablesOf(file)
		if source == nil {
			return nil, false
		}
		s := source.Scopes(rel)
		return s, len(s) > 0
	})
}

// Passed implements variables.CallSites by the first file that has an answer.
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

// firstOf returns the first answer of a file that describes calls, or the error of the last such
// file.
func firstOf[T any](u *union, ask func(variables.CallSites) (T, error)) (out T, err error) {
	err = errNotKnown
	for _, r := range u.names {
		c, ok := variablesOf(fileOf(r)).(variables.CallSites)
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

// fileOf returns the file's own type, behind its guard and its Reader.
func fileOf(r formats.Reader) any { return formats.Inside(inside(r)) }

// guardOf returns the guard of a reader. Every reader of a Store has one.
func guardOf(r formats.Reader) guarded {
	if g, ok := r.(guarded); ok {
		return g
	}
	return guarded{r, &file{}}
}

// variablesOf returns the variables of a file, or nil if its format has none.
func variablesOf(file any) variables.Source {
	if f, ok := file.(interface{ Variables() variables.Source }); ok {
		return f.Variables()
	}
	return nil
}

// Class implements variables.Classes by the first file that has the class.
func (u *union) Class(name string) *types.Type {
	return firstKnown(u, func(file any) (*types.Type, bool) {
		c, ok := variablesOf(file).(interface{ Class(name string) *types.Type })
		if !ok {
			return nil, false
		}
		t := c.Class(name)
		return t, t != nil
	})
}

// A vtable's name is its class's behind this prefix, where others have only _Z
// (Itanium C++ ABI, section 5.1.4.1). Microsoft's names end with what they are.
const (
	vtablePrefix = "_ZTV"
	namePrefix   = "_Z"

	vftablePrefix = "??_7"
	vftableSuffix = "::`vftable'"
)

// vtableClass is the class that a vtable is of, by the linker's name.
func vtableClass(linkage string) (string, bool) {
	if name, ok := strings.CutPrefix(linkage, vtablePrefix); ok {
		return readable(namePrefix + name), true
	}
	if !strings.HasPrefix(linkage, vftablePrefix) {
		return "", false
	}
	class, _, ok := strings.Cut(readable(linkage), vftableSuffix)
	return strings.TrimPrefix(class, "const "), ok
}

// VtableAt implements variables.Classes by the linker's names.
func (u *union) VtableAt(rel uint64) (class string, start uint64) {
	class = firstKnown(u, func(file any) (string, bool) {
		v, ok := file.(interface {
			VtableAt(rel uint64) (linkage string, start uint64)
		})
		if !ok {
			return "", false
		}
		var linkage string
		linkage, start = v.VtableAt(rel)
		return vtableClass(linkage)
	})
	return class, start
}

// Statics implements variables.Statics by the first file that has any.
func (u *union) Statics(match func(name string) bool, limit int) []variables.Variable {
	return firstKnown(u, func(file any) ([]variables.Variable, bool) {
		s, ok := variablesOf(file).(variables.Statics)
		if !ok {
			return nil, false
		}
		list := s.Statics(match, limit)
		return list, len(list) > 0
	})
}

// RuntimeType implements variables.RuntimeTypes by the first file that has it.
func (u *union) RuntimeType(off uint64) *types.Type {
	return firstKnown(u, func(file any) (*types.Type, bool) {
		r, ok := variablesOf(file).(variables.RuntimeTypes)
		if !ok {
			return nil, false
		}
		t := r.RuntimeType(off)
		return t, t != nil
	})
}

// Language implements variables.Languages by the first file that knows one.
func (u *union) Language(rel uint64) types.Language {
	return firstKnown(u, func(file any) (types.Language, bool) {
		l, ok := variablesOf(file).(variables.Languages)
		if !ok {
			return types.C, false
		}
		lang := l.Language(rel)
		return lang, lang != types.C
	})
}

// VtableWord implements variables.Classes by the first file with the bytes.
func (u *union) VtableWord(rel uint64) (uint64, bool) {
	type answer struct {
		v  uint64
		ok bool
	}
	a := firstKnown(u, func(file any) (answer, bool) {
		w, ok := file.(interface {
			VtableWord(rel uint64) (uint64, bool)
		})
		if !ok {
			return answer{}, false
		}
		v, ok := w.VtableWord(rel)
		return answer{v, ok}, ok
	})
	return a.v, a.ok
}

// firstKnown is the first answer that a file has.
func firstKnown[T any](u *union, ask func(file any) (T, bool)) (none T) {
	for _, r := range u.names {
		if got, ok := answered(guardOf(r), func() (T, bool) { return ask(fileOf(r)) }); ok {
			return got
		}
	}
	return none
}
