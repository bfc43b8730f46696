package dwarf

import (
	"errors"

	"crashglass/core/base/bin"
)

// Small files can cost much: thousands of units may share one line program, one list of ranges or
// overlapping tables of abbreviations. Reading is counted in bytes of the sections, each time.
// Listing an ordinary file reads it two or three times; a lookup reads a unit.
const (
	leastWork   = 4 << 20
	workPerByte = 32
)

// Names are shared, too: a text of 100 KB by all functions of a unit. Bytes
// above longName are counted.
const (
	longName     = 1 << 10
	leastNames   = 4 << 20
	namesPerByte = 4
)

// errWork is the note when reading ends early.
var errWork = errors.New("dwarf: parts of the sections are shared by so many others that what is left is not read")

// A lookup compares all neighbouring inlined calls, a few hundred at most.
const (
	leastCalls   = 1 << 28
	callsPerByte = 64
)

// A variable's location takes a few steps per evaluation.
const (
	leastSteps   = 4 << 20
	stepsPerByte = 16
)

// limits are the budgets of a file, which grow with its sections. Each counts a cost of its own, so
// that queries about variables leave enough for stacks.
type limits struct {
	work    *bin.Budget // bytes that may still be read to find and list functions
	calls   *bin.Budget // inlined calls that may still be compared
	names   *bin.Budget // bytes of long names that may still be made
	entries *bin.Budget // bytes that may still be read for variables and types
	steps   *bin.Budget // of expressions of variables that may still be evaluated
}

// add extends the budgets for another section.
func (l *limits) add(size uint64) {
	n := int64(min(size, 1<<40))
	l.work.Add(workPerByte * n)
	l.calls.Add(callsPerByte * n)
	l.names.Add(namesPerByte * n)
	l.entries.Add(workPerByte * n)
	l.steps.Add(stepsPerByte * n)
}

// spendCalls spends comparisons of calls, and reports whether as many were left.
func (f *File) spendCalls(n uint64) bool {
	if f.limits.calls.Spend(int64(n)) {
		return true
	}
	f.note("dwarf: too many calls are inlined next to each other: they are not named any more")
	return false
}

// spend spends work, and reports whether as much was left.
func (f *File) spend(n uint64) bool {
	if f.limits.work.Spend(int64(min(n, 1<<40))) {
		return true
	}
	f.note("%v", errWork)
	return false
}

// shortened is a name, or the beginning of one where long names are shared by
// too many entries.
func (f *File) shortened(name string) string {
	if len(name) <= longName || f.limits.names.Spend(int64(len(name)-longName)) {
		return name
	}
	f.note("dwarf: names longer than %d bytes are shared by many entries: they are shortened", longName)
	return name[:longName]
}
