package symbols

import (
	"cmp"
	"strings"

	"crashglass/core/symbolize"
	"crashglass/symbols/demangle"
	"crashglass/symbols/formats"
)

// readable is a function's demangled name. As in .sym files of dump_syms, it is the function's name
// without the compiler's suffix for a copy or a part.
func readable(name string) string {
	if plain, ok := demangle.Name(demangle.WithoutSuffix(name)); ok {
		return plain
	}
	return name
}

// spell gives functions the names that a stack shows. dump_syms demangles names, so names of other
// files are demangled, too. Other programs show a .sym's names unchanged, so a linkage name in a
// .sym stays, with its demangled form beside it.
func spell(r formats.Reader, loc symbolize.Location) symbolize.Location {
	if formats.HasFinalNames(inside(r)) {
		loc.Readable = meaning(loc.Function)
		loc.Clone = demangle.CopySuffix(loc.Function)
		for i := range loc.Inlines {
			loc.Inlines[i].Readable = meaning(loc.Inlines[i].Function)
		}
		return loc
	}
	function, linkage := respell(loc.Function)
	if loc.Linkage == "" {
		loc.Linkage = linkage
	}
	loc.Clone = demangle.CopySuffix(cmp.Or(loc.Linkage, function))
	if loc.Function = function; linkage == "" {
		loc.Readable = meaning(function)
	}
	for i := range loc.Inlines {
		in := &loc.Inlines[i]
		in.Function, in.Linkage = respell(in.Function)
	}
	return loc
}

// meaning is the demangled form of a linkage name, "" if it is not mangled. A copy or a part of a
// function ("f.part.0") is that function.
func meaning(name string) string {
	plain := demangle.WithoutSuffix(name)
	if m, ok := meanings.of(plain); ok {
		return m
	}
	if plain != name {
		return plain
	}
	return ""
}

// respell demangles a linkage name, also with the suffix of a stub ("@plt"). The compiler's suffix
// stays in the linkage name beside it.
func respell(name string) (function, linkage string) {
	const stub = "@plt"
	called, isStub := strings.CutSuffix(name, stub)
	plain := demangle.WithoutSuffix(called)
	m, ok := meanings.of(plain)
	switch {
	case !ok:
		return name, ""
	case isStub:
		m += stub
	}
	return m, name
}
