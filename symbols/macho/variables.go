package macho

import (
	"crashglass/core/types"
	"crashglass/core/variables"
)

var (
	_ variables.Source    = (*File)(nil)
	_ variables.CallSites = (*File)(nil)
)

// Scopes implements variables.Source by DWARF.
func (f *File) Scopes(rel uint64) []variables.Scope { return f.info().Scopes(rel) }

// Passed implements variables.CallSites by DWARF.
func (f *File) Passed(e *variables.Eval, callee *variables.Frame, reg string) (uint64, error) {
	return f.info().Passed(e, callee, reg)
}

// Entered implements variables.CallSites by DWARF.
func (f *File) Entered(rel uint64) (start uint64, name string, err error) {
	return f.info().Entered(rel)
}

// Class returns a class of DWARF by its full name, or nil.
func (f *File) Class(name string) *types.Type { return f.info().Class(name) }

// Language implements variables.Languages by DWARF.
func (f *File) Language(rel uint64) types.Language { return f.info().Language(rel) }
