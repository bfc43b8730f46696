package symbols

import (
	"strings"

	"crashglass/core/symbolize"
	"crashglass/symbols/demangle"
)

// readable is a function's name as people read it.
func readable(name string) string {
	name, _ = demangle.Name(name)
	return name
}

// spell gives functions the names that a stack shows. dump_syms makes readable
// names, so those of other files are made so too. What a .sym has is what
// other programs show, so that a linker's name in one stays, with what it
// means beside it.
func spell(r reader, loc symbolize.Location) symbolize.Location {
	if _, ok := inside(r).(breakpadFile); ok {
		loc.Readable = meaning(loc.Function)
		for i := range loc.Inlines {
			loc.Inlines[i].Readable = meaning(loc.Inlines[i].Function)
		}
		return loc
	}
	loc.Function, loc.Linkage = respell(loc.Function)
	for i := range loc.Inlines {
		in := &loc.Inlines[i]
		in.Function, in.Linkage = respell(in.Function)
	}
	return loc
}

func meaning(name string) string {
	if m, ok := meanings.of(name); ok {
		return m
	}
	return ""
}

// respell makes a linker's name readable, also that of a stub for calls of it.
func respell(name string) (function, linkage string) {
	const stub = "@plt"
	called, isStub := strings.CutSuffix(name, stub)
	m, ok := meanings.of(called)
	switch {
	case !ok:
		return name, ""
	case isStub:
		m += stub
	}
	return m, name
}
