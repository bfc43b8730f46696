package analyze

import (
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
)

// SymbolsFunc makes a function Symbols.
type SymbolsFunc func(*module.Module) (Source, report.Symbols)

// For calls f.
func (f SymbolsFunc) For(m *module.Module) (Source, report.Symbols) { return f(m) }

// Dump opens a dump and makes its report.
func Dump(src bin.Source, syms Symbols, opt Options) (*report.Report, error) {
	s, err := Open(src)
	if err != nil {
		return nil, err
	}
	return s.Report(syms, opt)
}

// deref is the value of an optional field, or zero.
func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
