package symbols

import (
	"cmp"
	"strings"

	"crashglass/core/stack/funcname"
	"crashglass/core/stack/symbolize"
)

// readable is a name in a .sym file: demangled, if it is mangled.
func (n *namer) readable(name string) string {
	if plain, ok := n.demangle(name); ok {
		return plain
	}
	return name
}

// spell gives functions the names that a stack shows. dump_syms demangles names, so names of other
// files are demangled, too. Other programs show a .sym's names unchanged, so a linkage name in a
// .sym stays, with its demangled form beside it. A copy or a part of a function is named as c++filt
// names it: "f() [clone .cold]".
func (n *namer) spell(r *guarded, loc symbolize.Location) symbolize.Location {
	if r.Capabilities().FinalNames {
		loc.Readable = n.meaning(loc.Function)
		loc.Clone = funcname.CopySuffix(loc.Function)
		for i := range loc.Inlines {
			loc.Inlines[i].Readable = n.meaning(loc.Inlines[i].Function)
		}
		return loc
	}
	function, linkage := n.respell(withClone(loc.Function, loc.Linkage))
	loc.Function, loc.Linkage = function, cmp.Or(loc.Linkage, linkage)
	loc.Clone = funcname.CopySuffix(cmp.Or(loc.Linkage, function))
	for i := range loc.Inlines {
		in := &loc.Inlines[i]
		in.Function, in.Linkage = n.respell(in.Function)
	}
	return loc
}

// withClone is the linker's name of a copy or a part of a C++ function, which DWARF describes by the
// name of the function itself. A function of C has the name that DWARF and dump_syms give it.
func withClone(name, linkage string) string {
	if strings.HasPrefix(name, namePrefix) && strings.HasPrefix(linkage, name+".") {
		return linkage
	}
	return name
}

// meaning is the demangled form of a linkage name, "" if it is not mangled.
func (n *namer) meaning(name string) string {
	if m, ok := n.of(name); ok {
		return m
	}
	return ""
}

// respell demangles a linkage name, also with the suffix of a stub ("@plt").
func (n *namer) respell(name string) (function, linkage string) {
	const stub = "@plt"
	called, isStub := strings.CutSuffix(name, stub)
	m, ok := n.of(called)
	switch {
	case !ok:
		return name, ""
	case isStub:
		m += stub
	}
	return m, name
}
