package symbolsource

import (
	"crashglass/core/process/module"
	"crashglass/core/values/variables"
)

// A Bare is a reader as the symbols of a module that have names and unwind rules only: the Source of package analyze.
type Bare struct{ Source }

// ReadImage has no code.
func (Bare) ReadImage(uint64, []byte) int { return 0 }

// Rel has no layout.
func (Bare) Rel(module.Offsets, uint64) (uint64, bool) { return 0, false }

// Unanswered has no open queries.
func (Bare) Unanswered() int { return 0 }

// Variables has none.
func (Bare) Variables() variables.Symbols { return variables.Symbols{} }
