package cfi

import (
	"errors"

	"crashglass/core/base/bin"
)

// The work of a list is counted: bytes of executed instructions, and the registers of each row. A
// function of 20 bytes runs those of its CIE, which may be a hundred. Compilers write up to two for
// each byte.
const (
	leastWork   = 1 << 18
	workPerByte = 6
)

// errWork is the note when the list ends early.
var errWork = errors.New("cfi: entries share so many rules that those of the functions left are not listed")

// newWork returns the budget of one list.
func newWork(s Sections) *bin.Budget {
	return bin.NewBudget(leastWork + workPerByte*min(s.EHFrame.Data.Size()+s.DebugFrame.Data.Size(), 1<<40))
}
