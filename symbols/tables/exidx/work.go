package exidx

import (
	"errors"

	"crashglass/core/base/bin"
)

// Entries of the index may share instructions in the table, or lead into the
// middle of others. So the bytes that are run for a list are counted; compilers
// have one of them for each two bytes of both sections, at most.
const (
	leastWork   = 1 << 16
	workPerByte = 4
)

// errWork is the note when a list ends early.
var errWork = errors.New("exidx: entries share so many instructions that those left are not listed")

// newWork returns the budget of one list.
func (t *Table) newWork() *bin.Budget {
	return bin.NewBudget(leastWork + workPerByte*min(t.s.Exidx.Data.Size()+t.s.Extab.Data.Size(), 1<<40))
}
