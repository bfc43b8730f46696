package symbols

import (
	"cmp"
	"strings"

	"crashglass/core/values/types"
	"crashglass/core/values/variables"
	"crashglass/symbols/demangle"
	"crashglass/symbols/formats"
)

// Variables implements Source. The union has every capability, and queries the files that have it.
func (u *union) Variables() variables.Symbols {
	return variables.Symbols{Scopes: u, CallSites: u, Statics: u, RuntimeTypes: u, Languages: u, Classes: u, Names: u}
}

// Scopes queries the files in turn, the most detailed one first.
func (u *union) Scopes(rel uint64) []variables.Scope {
	return first(u, func(can *formats.Capabilities) variables.Source { return can.Scopes }, func(f variables.Source) ([]variables.Scope, bool) {
		s := f.Scopes(rel)
		return s, len(s) > 0
	})
}

// Passed implements variables.CallSites by the first file that has an answer.
func (u *union) Passed(e *variables.Eval, callee *variables.Context, reg string) (v uint64, err error) {
	return fromCalls(u, func(c variables.CallSites) (uint64, error) { return c.Passed(e, callee, reg) })
}

// Entered implements variables.CallSites in the same way.
func (u *union) Entered(rel uint64) (start uint64, name string, err error) {
	start, err = fromCalls(u, func(c variables.CallSites) (start uint64, err error) {
		start, name, err = c.Entered(rel)
		return start, err
	})
	return start, name, err
}

// fromCalls returns the first answer of a file that describes calls, or the error of the last such
// file.
func fromCalls[T any](u *union, query func(variables.CallSites) (T, error)) (out T, err error) {
	err = variables.Gone("no symbol file of the module knows of calls")
	first(u, func(can *formats.Capabilities) variables.CallSites { return can.CallSites }, func(c variables.CallSites) (struct{}, bool) {
		out, err = query(c)
		return struct{}{}, err == nil
	})
	return out, err
}

// Class implements variables.Classes by the first file that has the class.
func (u *union) Class(name string) *types.Type {
	return first(u, func(can *formats.Capabilities) formats.Classes { return can.Classes }, func(f formats.Classes) (*types.Type, bool) {
		t := f.Class(name)
		return t, t != nil
	})
}

// TypeNamed implements variables.Classes by the first file that has the type.
func (u *union) TypeNamed(name string) *types.Type {
	return first(u, func(can *formats.Capabilities) formats.Classes { return can.Classes }, func(f formats.Classes) (*types.Type, bool) {
		t := f.TypeNamed(name)
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

func vtableClass(linkage string) (string, bool) {
	if name, ok := strings.CutPrefix(linkage, vtablePrefix); ok {
		class, _ := demangle.Name(namePrefix + name)
		return class, true
	}
	if !strings.HasPrefix(linkage, vftablePrefix) {
		return "", false
	}
	table, _ := demangle.Name(linkage)
	class, _, ok := strings.Cut(table, vftableSuffix)
	return strings.TrimPrefix(class, "const "), ok
}

// VtableAt implements variables.Classes by the linkage names of vtables.
func (u *union) VtableAt(rel uint64) (class string, start uint64) {
	u.data(rel, func(linkage string, at uint64) (ok bool) {
		class, ok = vtableClass(linkage)
		start = at
		return ok
	})
	return class, start
}

// NameAt implements variables.Names by the linkage names of data.
func (u *union) NameAt(rel uint64) (name string, start uint64) {
	u.data(rel, func(linkage string, at uint64) bool {
		name, _ = demangle.Name(linkage)
		name, start = cmp.Or(name, linkage), at
		return linkage != ""
	})
	return name, start
}

// EachData implements variables.Names by the first file that has such data.
func (u *union) EachData(prefix string, each func(name string, rel uint64)) {
	first(u, func(can *formats.Capabilities) formats.DataNames { return can.DataNames }, func(f formats.DataNames) (struct{}, bool) {
		found := false
		f.EachData(prefix, func(name string, rel uint64) {
			found = true
			each(name, rel)
		})
		return struct{}{}, found
	})
}

// data calls use with the linkage name and the start of the data that contains an address, by each file until it is content.
func (u *union) data(rel uint64, use func(linkage string, start uint64) bool) {
	first(u, func(can *formats.Capabilities) formats.Data { return can.Data }, func(f formats.Data) (struct{}, bool) {
		return struct{}{}, use(f.DataAt(rel))
	})
}

// Statics implements variables.Statics by the first file that has any.
func (u *union) Statics(match func(name string) bool, limit int) []variables.Variable {
	return first(u, func(can *formats.Capabilities) variables.Statics { return can.Statics }, func(f variables.Statics) ([]variables.Variable, bool) {
		list := f.Statics(match, limit)
		return list, len(list) > 0
	})
}

// StaticsAt implements variables.Statics in the same way.
func (u *union) StaticsAt(rel uint64, limit int) []variables.Variable {
	return first(u, func(can *formats.Capabilities) variables.Statics { return can.Statics }, func(f variables.Statics) ([]variables.Variable, bool) {
		list := f.StaticsAt(rel, limit)
		return list, len(list) > 0
	})
}

// SourceSum returns the checksum of a source file by the first file that has it: [formats.Sums].
func (u *union) SourceSum(rel uint64, file string) (algorithm string, sum []byte) {
	sum = first(u, func(can *formats.Capabilities) formats.Sums { return can.Sums }, func(f formats.Sums) (found []byte, ok bool) {
		algorithm, found = f.SourceSum(rel, file)
		return found, algorithm != ""
	})
	return algorithm, sum
}

// RuntimeType implements variables.RuntimeTypes by the first file that has it.
func (u *union) RuntimeType(off uint64) *types.Type {
	return first(u, func(can *formats.Capabilities) variables.RuntimeTypes { return can.RuntimeTypes }, func(f variables.RuntimeTypes) (*types.Type, bool) {
		t := f.RuntimeType(off)
		return t, t != nil
	})
}

// Language implements variables.Languages by the first file that knows one.
func (u *union) Language(rel uint64) types.Language {
	return first(u, func(can *formats.Capabilities) variables.Languages { return can.Languages }, func(f variables.Languages) (types.Language, bool) {
		lang := f.Language(rel)
		return lang, lang != types.C
	})
}

// VtableWord implements variables.Classes by the first file with the bytes.
func (u *union) VtableWord(rel uint64) (word uint64, ok bool) {
	word = first(u, func(can *formats.Capabilities) formats.VtableWords { return can.VtableWords }, func(f formats.VtableWords) (uint64, bool) {
		var v uint64
		v, ok = f.VtableWord(rel)
		return v, ok
	})
	return word, ok
}

func first[C comparable, T any](u *union, capability func(*formats.Capabilities) C, query func(C) (T, bool)) (none T) {
	var lacks C
	for _, r := range u.names {
		c := capability(r.Capabilities())
		if c == lacks {
			continue
		}
		if got, ok := answered(r, func() (T, bool) { return query(c) }); ok {
			return got
		}
	}
	return none
}
