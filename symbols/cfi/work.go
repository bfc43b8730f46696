package cfi

import (
	"errors"

	"crashglass/core/bin"
)

// What is listed is counted: bytes of instructions that are run, and the
// registers of each row. A function of 20 bytes has those of its CIE, which may
// be a hundred. What compilers write has up to two for each byte.
const (
	leastWork   = 1 << 18
	workPerByte = 6
)

// errWork is for what is not listed any more.
var errWork = errors.New("cfi: entries share so many rules that those of the functions left are not listed")

// newWork is what one list may cost.
func newWork(s Sections) *bin.Budget {
	return bin.NewBudget(leastWork + workPerByte*min(s.EHFrame.Data.Size()+s.DebugFrame.Data.Size(), 1<<40))
}
