package analyze

import (
	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/core/unwind"
)

// A lookup asks for each module's symbols once for a report, and remembers
// which modules were asked for: those on a stack.
type lookup struct {
	syms  Symbols
	known map[*module.Module]*found
}

type found struct {
	source Source
	state  report.Symbols
}

func newLookup(syms Symbols) *lookup {
	return &lookup{syms: syms, known: map[*module.Module]*found{}}
}

func (l *lookup) of(m *module.Module) *found {
	if f, ok := l.known[m]; ok {
		return f
	}
	f := &found{state: report.Symbols{State: "missing"}}
	if l.syms != nil {
		f.source, f.state = l.syms.For(m)
	}
	l.known[m] = f
	return f
}

// rules is the unwinder's view. A nil Source must become a nil Rules, not a
// Rules that holds nil.
func (l *lookup) rules(m *module.Module) unwind.Rules {
	if s := l.of(m).source; s != nil {
		return s
	}
	return nil
}
